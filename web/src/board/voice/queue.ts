import type { Call } from '@/board/calls'
import { inBackground } from '@/in-background'

/**
 * How long after its turn a call is still announced, in milliseconds; later the call is dropped. The turn is when
 * the call was made, or when the previous announcement ended if that is later.
 */
export const latestMs = 60_000
/** The numbers of waiting calls from which announcements are short, or in the office's first language only. */
const shortFrom = 3
const shortestFrom = 6

export type Manner = { languages: number; digits: boolean }

/** The manner of the next announcement. `waiting` counts the waiting calls, including the one to announce. */
export function mannerOf(waiting: number, languages: number): Manner {
  if (waiting >= shortFrom) return { languages: 1, digits: false }
  return { languages, digits: true }
}

/** With many waiting calls, only the office's first language is used: its pack is loaded at the start. */
export const inFirstLanguage = (waiting: number) => waiting >= shortestFrom

type Tools = {
  now: () => number
  /** Announces a call; resolves at the end of the announcement. */
  say: (call: Call, waiting: number) => Promise<void>
}

/** Announces calls one after the other, in the order of their arrival. */
export class CallQueue {
  #waiting: Call[] = []
  #running = false
  #lastEnd = 0
  readonly #tools: Tools

  constructor(tools: Tools) {
    this.#tools = tools
  }

  get length() {
    return this.#waiting.length
  }

  /** Adds a call that is not too old. It replaces a waiting call of the same visit. */
  add(call: Call) {
    if (this.#tools.now() - call.at > latestMs) return
    const at = this.#waiting.findIndex(({ visitId }) => visitId === call.visitId)
    if (at < 0) this.#waiting.push(call)
    else this.#waiting[at] = call
    if (!this.#running) inBackground(this.#run())
  }

  drop(isGone: (call: Call) => boolean) {
    this.#waiting = this.#waiting.filter((call) => !isGone(call))
  }

  clear() {
    this.#waiting = []
  }

  async #run() {
    this.#running = true
    for (let call = this.#waiting.shift(); call; call = this.#waiting.shift()) {
      const waiting = this.#waiting.length + 1
      const turn = Math.max(call.at, this.#lastEnd)
      if (this.#tools.now() - turn <= latestMs) {
        await this.#tools.say(call, waiting).catch(() => undefined)
        this.#lastEnd = this.#tools.now()
      }
    }
    this.#running = false
  }
}
