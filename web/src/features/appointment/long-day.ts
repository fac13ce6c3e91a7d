const weekday = new Intl.DateTimeFormat('en-IN', { weekday: 'long', timeZone: 'UTC' })
const date = new Intl.DateTimeFormat('en-IN', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

/** A calendar day (YYYY-MM-DD) as the office says it: Monday, 23 Nov 2026. A year of five digits stays as typed. */
export function longDay(day: string): string {
  const moment = Date.parse(`${day}T00:00:00Z`)
  if (Number.isNaN(moment)) return day
  return `${weekday.format(moment)}, ${date.format(moment)}`
}
