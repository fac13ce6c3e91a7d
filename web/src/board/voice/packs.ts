import { inBackground } from '@/in-background'
import type { Language } from '@/locales/languages'
import type { Manifest } from './manifest'
import { dropOthers, readRecorded, type RecordedPack } from './recorded'

/** `id` distinguishes the packs of a language. */
type Pack = { id: string; manifest: Manifest; bytes: ArrayBuffer }

const mostDecoded = 200

/**
 * The voice packs: fetched once for each language, decoded clip by clip. A pack recorded by the office takes
 * precedence.
 */
export class Packs {
  readonly #packs = new Map<Language, Promise<Pack>>()
  readonly #decoded = new Map<string, AudioBuffer>()
  readonly #context: BaseAudioContext
  readonly #token: string
  #recorded: readonly RecordedPack[] = []

  constructor(context: BaseAudioContext, token: string) {
    this.#context = context
    this.#token = token
  }

  /** Takes the list of recorded packs. A pack that has changed is fetched again when it is next loaded. */
  setRecorded(packs: readonly RecordedPack[]) {
    const versionOf = (list: readonly RecordedPack[], language: string) =>
      list.find((pack) => pack.language === language)?.version
    for (const language of this.#packs.keys()) {
      if (versionOf(packs, language) === versionOf(this.#recorded, language)) continue
      this.#packs.delete(language)
      this.#forgetClips(language)
    }
    this.#recorded = packs
    inBackground(dropOthers(packs))
  }

  /** The pack of a language, fetched once. After a failure, the next call in the language fetches it. */
  load(language: Language): Promise<Pack> {
    const known = this.#packs.get(language)
    if (known) return known
    const pack = this.#fetch(language)
    this.#packs.set(language, pack)
    pack.catch(() => this.#packs.delete(language))
    return pack
  }

  /** Fetches the recorded pack, else the shipped pack. If a recorded pack fails, the next call retries. */
  async #fetch(language: Language): Promise<Pack> {
    const recorded = this.#recorded.find((pack) => pack.language === language)
    if (!recorded) return fetchPack(language)
    try {
      return { id: `${recorded.version}`, ...(await readRecorded(this.#token, recorded)) }
    } catch {
      this.#packs.delete(language)
      return fetchPack(language)
    }
  }

  #forgetClips(language: Language) {
    for (const key of this.#decoded.keys()) if (key.startsWith(`${language} `)) this.#decoded.delete(key)
  }

  /** A decoded clip; null if the pack does not have it. */
  async clip(language: Language, name: string): Promise<AudioBuffer | null> {
    const { id, manifest, bytes } = await this.load(language)
    const key = `${language} ${id} ${name}`
    const kept = this.#decoded.get(key)
    if (kept) {
      this.#decoded.delete(key)
      this.#decoded.set(key, kept)
      return kept
    }
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
  const manifest = (await (await answered(`/voice/${language}.json`)).json()) as Manifest & { digest: string }
  const bytes = await (await answered(`/voice/${language}.pack?${manifest.digest}`)).arrayBuffer()
  return { id: 'shipped', manifest, bytes }
}

async function answered(address: string): Promise<Response> {
  const response = await fetch(address)
  if (!response.ok) throw new Error(`${address} answered ${response.status}`)
  return response
}
