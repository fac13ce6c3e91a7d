import { fill, formatLocaleOf, locale, messages } from '@/messages'
import { namedDay, openingOn, type OpeningTimes } from '@/opening-on'
import { timeOfDay } from '@/ui/time-of-day'

const dayMs = 86_400_000
const daysAhead = 30

const date = new Intl.DateTimeFormat(locale === 'en' ? 'en-IN' : formatLocaleOf(locale), {
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC',
})

/** Formats a calendar day (YYYY-MM-DD) of the next months as 26 January. */
const dayAndMonth = (day: string) => date.format(Date.parse(day))

/** What visitors should know about a special day or a yearly holiday; nothing about an ordinary day. */
export function namedDaySentences(times: OpeningTimes, day: string): string[] {
  const named = namedDay(times, day)
  if (!named) return []
  const about = { day: dayAndMonth(day), name: named.texts?.[locale] ?? named.name }
  const spans = openingOn(times, day)
  const sentences = spans.map(({ from, to }) =>
    fill(messages.opening.openOn, { ...about, from: timeOfDay(from), to: timeOfDay(to) }),
  )
  // A special day may have no name. Then the sentence ends before it.
  return (spans.length > 0 ? sentences : [fill(messages.opening.closedOn, about)]).map((sentence) =>
    sentence.replace(/: $/, ''),
  )
}

/** The same about today and the 30 days after it. */
export const comingDays = (times: OpeningTimes, today: string): string[] =>
  Array.from({ length: daysAhead + 1 }, (_, ahead) =>
    new Date(Date.parse(today) + ahead * dayMs).toISOString().slice(0, 'YYYY-MM-DD'.length),
  ).flatMap((day) => namedDaySentences(times, day))
