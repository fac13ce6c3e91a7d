import type { Call } from '@/board/calls'
import { inBackground } from '@/in-background'
import type { Language } from '@/locales/languages'
import { Packs } from './packs'
import { CallQueue } from './queue'
import type { RecordedPack } from './recorded'
import { Speaker, type SpokenLanguages } from './speaker'

/** `blocked`: the browser plays no sound until the screen is touched. `off`: muted, or quiet hours. */
export type VoiceState = 'on' | 'blocked' | 'off'

export type VoiceSettings = { volume: number; quietFrom: string | null; quietUntil: string | null }

type Tools = {
  /** The time of day in the office, as 13:05. */
  timeOfDay: () => string
  now: () => number
  onState: (state: VoiceState) => void
}

/** The event on `document` for each announcement; its detail has the token and the times on the audio clock. */
export const announcedEvent = 'board:announced'

const checkEveryMs = 60_000

/** Whether a time lies in the quiet hours, which may go past midnight. */
export function isQuiet({ quietFrom, quietUntil }: VoiceSettings, time: string): boolean {
  if (quietFrom === null || quietUntil === null) return false
  return quietFrom <= quietUntil
    ? quietFrom <= time && time < quietUntil
    : time >= quietFrom || time < quietUntil
}

export class Voice {
  readonly #context = new AudioContext()
  readonly #packs: Packs
  readonly #speaker: Speaker
  readonly #queue: CallQueue
  readonly #tools: Tools
  #settings: VoiceSettings = { volume: 80, quietFrom: null, quietUntil: null }
  #state: VoiceState = 'off'
  #order: readonly Language[] = []

  constructor(token: string, tools: Tools) {
    this.#tools = tools
    this.#packs = new Packs(this.#context, token)
    this.#speaker = new Speaker(this.#context, this.#packs, { order: ['en'], most: 1 })
    this.#queue = new CallQueue({
      now: tools.now,
      say: async (call, waiting) => this.#said(call, await this.#speaker.say(call, waiting)),
    })
    this.#context.addEventListener('statechange', () => this.check())
    setInterval(() => this.check(), checkEveryMs)
  }

  get state() {
    return this.#state
  }

  get waiting() {
    return this.#queue.length
  }

  /**
   * Loads the packs of the office's languages. If a pack could not be loaded, the next call in its language requests it
   * again.
   */
  setLanguages(languages: SpokenLanguages) {
    this.#order = languages.order
    this.#speaker.setLanguages(languages)
    this.#load()
  }

  setRecorded(packs: readonly RecordedPack[]) {
    this.#packs.setRecorded(packs)
    this.#load()
  }

  #load() {
    this.#order.forEach((language) => inBackground(this.#packs.load(language)))
  }

  setSettings(settings: VoiceSettings) {
    this.#settings = settings
    this.#speaker.setVolume(settings.volume)
    this.check()
  }

  say(call: Call) {
    this.check()
    if (this.#state === 'on') this.#queue.add(call)
  }

  drop(isGone: (call: Call) => boolean) {
    this.#queue.drop(isGone)
  }

  /** Turns the sound on. Browsers allow this only in the handler of a press. */
  async unblock() {
    await this.#context.resume()
    this.check()
  }

  check() {
    const state = this.#found()
    if (state === this.#state) return
    this.#state = state
    if (state !== 'on') this.#queue.clear()
    this.#tools.onState(state)
  }

  #found(): VoiceState {
    if (this.#settings.volume === 0 || isQuiet(this.#settings, this.#tools.timeOfDay())) return 'off'
    return this.#context.state === 'running' ? 'on' : 'blocked'
  }

  #said({ token, callId }: Call, { from, until }: { from: number; until: number }) {
    document.dispatchEvent(new CustomEvent(announcedEvent, { detail: { token, callId, from, until } }))
  }
}
