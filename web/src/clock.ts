/**
 * The server's clock, estimated from its responses, because the browser's clock may be wrong by hours. Each response
 * bounds the offset from both sides; several responses narrow it down to less than a second.
 */
let least = -Infinity
let most = Infinity

/** Records the Date header of a response, which has a resolution of a second. */
export function recordServerTime(date: string | null, sent: number, received: number) {
  const stated = Date.parse(date ?? '')
  if (Number.isNaN(stated)) return
  const [from, to] = [stated - received, stated + 1_000 - sent]
  const clockWasSet = from > most || to < least
  least = clockWasSet ? from : Math.max(least, from)
  most = clockWasSet ? to : Math.min(most, to)
}

/** How far the server's clock is ahead, in milliseconds; 0 while both clocks agree or nothing is known. */
export function serverAhead(): number {
  const agree = least <= 0 && most >= 0
  return agree ? 0 : Math.round((least + most) / 2)
}

/** Current time in milliseconds by the server's clock, or by the browser's clock while both agree. */
export const serverNow = (): number => Date.now() + serverAhead()
