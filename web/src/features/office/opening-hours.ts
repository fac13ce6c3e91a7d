import type { OfficeHours } from '@/api/office'
import { formatLocale, locale } from '@/messages'
import { clockOf, weekdays } from '@/office-clock'
import { writtenSpans } from '@/opening-on'
import { timeOfDay } from '@/ui/time-of-day'

/** Opening hours as shown; there is no span on days on which the office is closed. */
export type Opening = { days: string; spans: { open: string; close: string }[] }

const weekday = new Intl.DateTimeFormat(formatLocale, { weekday: 'long', timeZone: 'UTC' })

/** The days of the week, as the office document writes them, with their names in the page's language. */
const days = new Map(
  weekdays.map((name, index) => [
    name,
    weekday.format(Date.UTC(2024, 0, 1 + index)), // a Monday and the days after it
  ]),
)

/**
 * The office's opening hours in the page's language; in English, as written in the office document. A document of an
 * older release has an entry for each span; those of the same days become one row.
 */
export function openingRows(hours: readonly OfficeHours[]): Opening[] {
  const rows = new Map<string, Opening>()
  for (const entry of hours) {
    const row = rows.get(entry.days) ?? { days: translatedDays(entry.days), spans: [] }
    for (const { open, close } of writtenSpans(entry))
      row.spans.push({ open: translatedTime(open), close: translatedTime(close) })
    rows.set(entry.days, row)
  }
  return [...rows.values()]
}

const translatedDays = (text: string) =>
  locale === 'en' ? text : text.replace(/[A-Z]\w+/g, (name) => days.get(name) ?? name)

/** A time of the office document in the page's language. Any other text is left unchanged. */
function translatedTime(text: string): string {
  const clock = locale === 'en' ? undefined : clockOf(text)
  return clock === undefined ? text : timeOfDay(clock)
}
