import { mostCalls, withCall, type Call } from './calls'

/**
 * The calls that the board shows: those of the server's newest answer, and those that the stream has brought since
 * that answer was requested. A call that an answer lacks was undone, or its visitor transferred or returned.
 */
export class ShownCalls {
  #calls: readonly Call[]
  /** Of the stream, each with the number of requests that had been sent when it came. */
  #heard: { call: Call; requests: number }[] = []
  #requests = 0
  #answered = 0

  constructor(calls: readonly Call[] = []) {
    this.#calls = calls
  }

  get all(): readonly Call[] {
    return this.#calls
  }

  has = ({ callId }: Call) => this.#calls.some((call) => call.callId === callId)

  /** Counts a request for the calls and returns its number. */
  request(): number {
    this.#requests += 1
    return this.#requests
  }

  /** Takes the answer of a request. Returns false if that of a later request was there first: it is older. */
  answer(request: number, calls: readonly Call[]): boolean {
    if (request < this.#answered) return false
    this.#answered = request
    this.#heard = this.#heard.filter(({ requests }) => requests >= request)
    this.#calls = this.#heard.reduce<readonly Call[]>((known, { call }) => added(known, call), calls)
    return true
  }

  /** Takes a call of the stream. Returns false if it is shown already. */
  hear(call: Call): boolean {
    if (this.has(call)) return false
    this.#heard = [...this.#heard, { call, requests: this.#requests }].slice(-mostCalls)
    this.#calls = added(this.#calls, call)
    return true
  }

  /** Removes the calls of other days. */
  keepDay(isToday: (at: number) => boolean) {
    this.#calls = this.#calls.filter(({ at }) => isToday(at))
    this.#heard = this.#heard.filter(({ call }) => isToday(call.at))
  }

  /** Whether a call was taken back: it is not shown, though newer than the oldest one that is. */
  isGone = (call: Call): boolean => {
    if (this.has(call)) return false
    const oldest = this.#calls.length < mostCalls ? undefined : this.#calls.at(-1)
    return oldest === undefined || call.at > oldest.at
  }
}

/** The stream may bring a call after an answer that has a later one of the same visitor. */
const added = (calls: readonly Call[], call: Call): readonly Call[] =>
  calls.some(({ visitId, at }) => visitId === call.visitId && at >= call.at) ? calls : withCall(calls, call)
