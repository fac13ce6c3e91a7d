/** The estimate of the server's clock may be half a second ahead. */
const slackMs = 500
const leastMs = 1_000

/** The milliseconds until a list changes without an event, at the earliest; false when it does not. */
export const untilChange = (nextAt: string | null | undefined, now: number): number | false =>
  nextAt ? Math.max(leastMs, Date.parse(nextAt) + slackMs - now) : false
