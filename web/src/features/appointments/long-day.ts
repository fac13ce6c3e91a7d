import { locale } from '@/messages'

const indian = `${locale}-IN-u-nu-latn`
const weekday = new Intl.DateTimeFormat(indian, { weekday: 'long', timeZone: 'UTC' })
const date = new Intl.DateTimeFormat(indian, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

/** Formats a calendar day (YYYY-MM-DD) as Monday, 23 Nov 2026. Returns an invalid day unchanged. */
export function longDay(day: string): string {
  const time = Date.parse(`${day}T00:00:00Z`)
  if (Number.isNaN(time)) return day
  return `${weekday.format(time)}, ${date.format(time)}`
}

/** The weekday of a calendar day (YYYY-MM-DD); for an invalid day, the text itself. */
export function weekdayOf(day: string): string {
  const time = Date.parse(`${day}T00:00:00Z`)
  return Number.isNaN(time) ? day : weekday.format(time)
}
