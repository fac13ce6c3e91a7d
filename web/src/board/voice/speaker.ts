import type { Call } from '@/board/calls'
import type { Language } from '@/locales/languages'
import { announce, spoken } from './grammar'
import type { Packs } from './packs'
import { inFirstLanguage, mannerOf } from './queue'

/** The silence between two announcements, in seconds. */
const gap = 0.4
const betweenLanguages = 0.45
/** The time in seconds before the first sound, so that its beginning is not cut off. */
const lead = 0.05

type Sound = AudioBuffer | number

/** Plays announcements on the clock of one AudioContext. Each announcement is scheduled as a whole. */
export class Speaker {
  readonly #context: AudioContext
  readonly #packs: Packs
  readonly #out: GainNode
  #languages: SpokenLanguages
  #free = 0

  constructor(context: AudioContext, packs: Packs, languages: SpokenLanguages) {
    this.#context = context
    this.#packs = packs
    this.#languages = languages
    this.#out = context.createGain()
    this.#out.connect(context.destination)
  }

  /** The volume, from 0 to 100. */
  setVolume(volume: number) {
    this.#out.gain.value = volume / 100
  }

  setLanguages(languages: SpokenLanguages) {
    this.#languages = languages
  }

  /** Announces a call; resolves at the end. `waiting` counts the waiting calls, including this call. */
  async say(call: Call, waiting: number): Promise<{ from: number; until: number }> {
    const sounds = await this.#soundsOf(call, waiting)
    const from = Math.max(this.#context.currentTime + lead, this.#free)
    let at = from + chime(this.#context, this.#out, from)
    for (const sound of sounds) {
      if (typeof sound !== 'number') this.#play(sound, at)
      at += typeof sound === 'number' ? sound : sound.duration
    }
    this.#free = at + gap
    await this.#reached(this.#free)
    return { from, until: at }
  }

  async #soundsOf(call: Call, waiting: number): Promise<Sound[]> {
    const languages = languagesOf(call.language, this.#languages)
    const manner = mannerOf(waiting, languages.length)
    const first = inFirstLanguage(waiting) ? this.#languages.order : languages
    const sounds: Sound[] = []
    for (const language of first.slice(0, manner.languages)) {
      if (sounds.length > 0) sounds.push(betweenLanguages)
      for (const part of announce(language, call, manner.digits)) {
        const sound = typeof part === 'number' ? part : await this.#packs.clip(language, part)
        if (sound !== null) sounds.push(sound)
      }
    }
    return sounds
  }

  #play(sound: AudioBuffer, at: number) {
    const source = this.#context.createBufferSource()
    source.buffer = sound
    source.connect(this.#out)
    source.start(at)
  }

  /** Waits until the context's clock has reached a time. The clock does not advance while the context is suspended. */
  async #reached(time: number) {
    while (this.#context.currentTime < time) {
      const left = (time - this.#context.currentTime) * 1000
      await new Promise((resolve) => setTimeout(resolve, Math.max(10, Math.min(left, 1000))))
    }
  }
}

/** `order`: the office's languages, from first to last. `most`: the most languages for one call. */
export type SpokenLanguages = { order: readonly Language[]; most: number }

/** The languages of a call: the visitor's, then those of the office, up to `most`. */
export function languagesOf(visitor: string, { order, most }: SpokenLanguages): Language[] {
  const own = spoken.filter((language) => language === visitor)
  return [...new Set([...own, ...order])].slice(0, most)
}

const notes = [
  { frequency: 659.3, at: 0, length: 0.5 },
  { frequency: 523.3, at: 0.28, length: 0.75 },
]
/** The time from the start of the chime to the first word, in seconds. */
const chimeLength = 0.85

/** Plays two falling notes. Returns the time from the first note to the first word, in seconds. */
function chime(context: AudioContext, out: AudioNode, from: number): number {
  for (const { frequency, at, length } of notes) {
    const [tone, volume] = [context.createOscillator(), context.createGain()]
    tone.frequency.value = frequency
    volume.gain.setValueAtTime(0.0001, from + at)
    volume.gain.exponentialRampToValueAtTime(0.3, from + at + 0.02)
    volume.gain.exponentialRampToValueAtTime(0.0001, from + at + length)
    tone.connect(volume).connect(out)
    tone.start(from + at)
    tone.stop(from + at + length)
  }
  return chimeLength
}
