export type Call = {
  callId: string
  visitId: string
  token: string
  /** The second token of the visitor, which a desk without network issued; absent if there is none. */
  tokenAlso?: string | undefined
  counter: string | null
  /** When the call was made, in milliseconds by the server's clock. */
  at: number
  callCount: number
  /** The visitor's language; empty if it is not known. */
  language: string
}

/** A visitor in session: the tokens and the counter. */
export type Serving = Pick<Call, 'token' | 'tokenAlso' | 'counter'>

/** A counter's number has at most three characters. A longer text is a place, such as "first floor". */
export const isPlace = (counter: string) => counter.length > 3

export const mostCalls = 8
const mostEarlier = 4
export const currentForMs = 120_000

/** Adds a call, which replaces the visitor's earlier call. Returns at most `mostCalls`, newest first. */
export const withCall = (calls: readonly Call[], call: Call): Call[] =>
  [call, ...calls.filter(({ visitId }) => visitId !== call.visitId)]
    .sort((a, b) => b.at - a.at)
    .slice(0, mostCalls)

export function currentOf(calls: readonly Call[], now: number): Call | null {
  const [newest] = calls
  return newest && now - newest.at < currentForMs ? newest : null
}

/** The calls before the current call, without those of visitors in session, who have a list of their own. */
export const earlierOf = (
  calls: readonly Call[],
  current: Call | null,
  serving: readonly Serving[],
): Call[] =>
  calls
    .filter((call) => call !== current && !serving.some(({ token }) => token === call.token))
    .slice(0, mostEarlier)
