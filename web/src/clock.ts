/**
 * The server's clock, as its answers tell it: the browser's own may be wrong by hours. Each answer says between which two
 * moments the difference lies; together they narrow it down to less than a second.
 */
let least = -Infinity
let most = Infinity

/** Notes the Date of an answer; it counts whole seconds. */
export function heardServerTime(date: string | null, sent: number, received: number) {
  const said = Date.parse(date ?? '')
  if (Number.isNaN(said)) return
  const [from, to] = [said - received, said + 1_000 - sent]
  const clockWasSet = from > most || to < least
  least = clockWasSet ? from : Math.max(least, from)
  most = clockWasSet ? to : Math.min(most, to)
}

/** Now, in milliseconds, by the server's clock; by the browser's as long as the two agree. */
export function serverNow(): number {
  const agree = least <= 0 && most >= 0
  return Date.now() + (agree ? 0 : Math.round((least + most) / 2))
}
