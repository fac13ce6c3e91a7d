/**
 * The moment of a time of day, today in the office's time zone; undefined if the moment is not in the future. The
 * present offset of the zone is used: a change of the clocks later today is ignored.
 */
export function laterToday(time: string, now: number, timeZone: string): string | undefined {
  const [hour, minute] = time.split(':').map(Number)
  if (hour === undefined || minute === undefined || Number.isNaN(hour + minute)) return undefined
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(now)
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((one) => one.type === type)?.value ?? 0)
  const minutes = (hour - part('hour')) * 60 + minute - part('minute')
  if (minutes <= 0) return undefined
  const startOfMinute = Math.floor(now / 60_000) * 60_000
  return new Date(startOfMinute + minutes * 60_000).toISOString()
}

/** The time of day `minutes` after `now`, rounded up to the next five minutes. A field proposes it. */
export function timeIn(minutes: number, now: number, timeZone: string): string {
  const step = 5 * 60_000
  const at = Math.ceil((now + minutes * 60_000) / step) * step
  return new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(at)
}
