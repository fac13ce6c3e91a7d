import type { Language } from '@/locales/languages'

/** Where the clips of a pack are. */
export type Manifest = { digest: string; clips: Readonly<Record<string, readonly [number, number]>> }

type Pack = { manifest: Manifest; bytes: ArrayBuffer }

/** How many decoded clips are kept. */
const mostDecoded = 200

/** The voice packs: fetched once for each language, decoded clip by clip. */
export class Packs {
  readonly #packs = new Map<Language, Promise<Pack>>()
  readonly #decoded = new Map<string, AudioBuffer>()
  readonly #context: BaseAudioContext

  constructor(context: BaseAudioContext) {
    this.#context = context
  }

  /** Fetches the pack of a language. A failure is not remembered. */
  load(language: Language): Promise<Pack> {
    const known = this.#packs.get(language)
    if (known) return known
    const pack = fetchPack(language)
    this.#packs.set(language, pack)
    pack.catch(() => this.#packs.delete(language))
    return pack
  }

  /** A decoded clip; null if the pack does not have it. */
  async clip(language: Language, name: string): Promise<AudioBuffer | null> {
    const key = `${language} ${name}`
    const kept = this.#decoded.get(key)
    if (kept) {
      this.#decoded.delete(key)
      this.#decoded.set(key, kept)
      return kept
    }
    const { manifest, bytes } = await this.load(language)
    const place = manifest.clips[name]
    if (!place) return null
    const clip = await this.#context.decodeAudioData(bytes.slice(place[0], place[0] + place[1]))
    this.#decoded.set(key, clip)
    const [oldest] = this.#decoded.keys()
    if (this.#decoded.size > mostDecoded && oldest !== undefined) this.#decoded.delete(oldest)
    return clip
  }
}

async function fetchPack(language: Language): Promise<Pack> {
  const manifest = (await (await answered(`/voice/${language}.json`)).json()) as Manifest
  const bytes = await (await answered(`/voice/${language}.pack?${manifest.digest}`)).arrayBuffer()
  return { manifest, bytes }
}

async function answered(address: string): Promise<Response> {
  const response = await fetch(address)
  if (!response.ok) throw new Error(`${address} answered ${response.status}`)
  return response
}
