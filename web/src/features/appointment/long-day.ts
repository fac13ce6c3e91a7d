const weekday = new Intl.DateTimeFormat('en-IN', { weekday: 'long', timeZone: 'UTC' })
const date = new Intl.DateTimeFormat('en-IN', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

/** Formats a calendar day (YYYY-MM-DD) as Monday, 23 Nov 2026. A year of five digits is returned unchanged. */
export function longDay(day: string): string {
  const moment = Date.parse(`${day}T00:00:00Z`)
  if (Number.isNaN(moment)) return day
  return `${weekday.format(moment)}, ${date.format(moment)}`
}
