import { mostCalls, withCall, type Call } from './calls'

/**
 * The calls that the board shows: the calls of the server's newest answer, and the calls that the stream has sent
 * since that answer was requested. If an answer lacks a call, its visitor was put back into the line, for example
 * by an undo or a transfer, or the call is not one of the newest.
 */
export class ShownCalls {
  #calls: readonly Call[]
  /** Calls from the stream, each with the number of requests sent before it arrived. */
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

  /** Takes an answer. Returns false for an answer that is older than one taken before. */
  answer(request: number, calls: readonly Call[]): boolean {
    if (request < this.#answered) return false
    this.#answered = request
    this.#heard = this.#heard.filter(({ requests }) => requests >= request)
    this.#calls = this.#heard.reduce<readonly Call[]>((known, { call }) => added(known, call), calls)
    return true
  }

  /** Takes a call from the stream. Returns false if it is shown already. */
  hear(call: Call): boolean {
    if (this.has(call)) return false
    this.#heard = [...this.#heard, { call, requests: this.#requests }].slice(-mostCalls)
    this.#calls = added(this.#calls, call)
    return true
  }

  keepDay(isToday: (at: number) => boolean) {
    this.#calls = this.#calls.filter(({ at }) => isToday(at))
    this.#heard = this.#heard.filter(({ call }) => isToday(call.at))
  }

  /** Whether a call no longer counts: the board does not show it, although it would be among the newest calls. */
  isGone = (call: Call): boolean => {
    if (this.has(call)) return false
    const oldest = this.#calls.length < mostCalls ? undefined : this.#calls.at(-1)
    return oldest === undefined || call.at > oldest.at
  }
}

/** The stream may send a call after an answer that has a later call of the same visitor. */
const added = (calls: readonly Call[], call: Call): readonly Call[] =>
  calls.some(({ visitId, at }) => visitId === call.visitId && at >= call.at) ? calls : withCall(calls, call)
