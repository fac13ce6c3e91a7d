import { once } from '@/once'
import { keepFirst, readKey, type Sealed } from './store'

const cipher = 'AES-GCM'

async function loadKey(): Promise<CryptoKey> {
  const known = await readKey('cipher')
  if (known instanceof CryptoKey) return known
  const made = await crypto.subtle.generateKey({ name: cipher, length: 256 }, false, ['encrypt', 'decrypt'])
  // If another window has stored a key meanwhile, that key is used: rows may already be sealed with it.
  return (await keepFirst('cipher', made)) as CryptoKey
}

/**
 * The key of this browser. Pages can use it but not read it. The browser stores it beside the rows: a copy of the
 * browser's files can be decrypted elsewhere, so the disk has to be encrypted.
 */
const cipherKey = once(loadKey)

export async function seal(value: unknown): Promise<Sealed> {
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const text = new TextEncoder().encode(JSON.stringify(value))
  return { iv, body: await crypto.subtle.encrypt({ name: cipher, iv }, await cipherKey(), text) }
}

export async function unseal<T>({ iv, body }: Sealed): Promise<T> {
  const text = await crypto.subtle.decrypt({ name: cipher, iv }, await cipherKey(), body)
  return JSON.parse(new TextDecoder().decode(text)) as T
}
