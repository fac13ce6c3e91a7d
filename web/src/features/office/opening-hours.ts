import { formatLocale, locale } from '@/messages'
import { timeOfDay } from '@/ui/time-of-day'
import type { OfficeHours } from './office'

/** Opening hours as shown; the times are null on days on which the office is closed. */
export type Opening = { days: string; open: string | null; close: string | null }

const weekday = new Intl.DateTimeFormat(formatLocale, { weekday: 'long', timeZone: 'UTC' })

/** The days of the week in English, as the office document writes them, with their names in the page's language. */
const days = new Map(
  ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'].map((name, index) => [
    name,
    weekday.format(Date.UTC(2024, 0, 1 + index)), // a Monday and the days after it
  ]),
)

/** The office's opening hours in the page's language; in English as the office document has them. */
export function openingOf(hours: OfficeHours): Opening {
  if (locale === 'en') return hours
  return {
    days: hours.days.replace(/[A-Z]\w+/g, (name) => days.get(name) ?? name),
    open: translatedTime(hours.open),
    close: translatedTime(hours.close),
  }
}

/** A time like 9 AM, 9:30 PM or 14:00. Another text is left as it is. */
function translatedTime(text: string | null): string | null {
  const [, hour, minute = '00', half] = /^(\d{1,2})(?::(\d\d))?(?: ([AP]M))?$/.exec(text ?? '') ?? []
  if (hour === undefined) return text
  const inDay = half === undefined ? Number(hour) : (Number(hour) % 12) + (half === 'PM' ? 12 : 0)
  return timeOfDay(`${String(inDay).padStart(2, '0')}:${minute}`)
}
