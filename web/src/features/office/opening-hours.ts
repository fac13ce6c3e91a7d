import { formatLocale, locale } from '@/messages'
import { clockOf, weekdays } from '@/office-clock'
import { timeOfDay } from '@/ui/time-of-day'
import type { OfficeHours } from './office'

/** Opening hours as shown; the times are null on days on which the office is closed. */
export type Opening = { days: string; open: string | null; close: string | null }

const weekday = new Intl.DateTimeFormat(formatLocale, { weekday: 'long', timeZone: 'UTC' })

/** The days of the week, as the office document writes them, with their names in the page's language. */
const days = new Map(
  weekdays.map((name, index) => [
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

/** A time of the office document in the page's language. Another text is left as it is. */
function translatedTime(text: string | null): string | null {
  const clock = text === null ? undefined : clockOf(text)
  return clock === undefined ? text : timeOfDay(clock)
}
