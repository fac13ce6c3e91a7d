import type { HoursValue, SpecialDay, YearlyDay } from '@/features/settings/data/document'
import { areSame } from '@/features/settings/data/pointer'
import { fill, formatLocale, locale } from '@/messages'
import { weekdays } from '@/office-clock'
import { weekdaysOf, writtenSpans } from '@/opening-on'
import { messages } from '@/settings-messages'
import { timeOfDay } from '@/ui/time-of-day'
import { fieldTime } from './clock'
import type { Times } from './week'

const text = messages.officeSettings.changes

const format = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(locale === 'en' ? 'en-IN' : formatLocale, { ...options, timeZone: 'UTC' })

const weekday = format({ weekday: 'long' })
const month = format({ month: 'long' })
const dayMonth = format({ day: 'numeric', month: 'long' })
const date = format({ day: 'numeric', month: 'short', year: 'numeric' })

/** The weekdays from Monday on, and the months, in the language of the page. */
export const weekdayNames = weekdays.map((_name, index) => weekday.format(Date.UTC(2024, 0, 1 + index)))
export const monthNames = Array.from({ length: 12 }, (_, index) => month.format(Date.UTC(2024, index, 1)))

/** A day of every year, such as 26 January. */
export const dayMonthText = (of: Pick<YearlyDay, 'month' | 'day'>) =>
  dayMonth.format(Date.UTC(2024, of.month - 1, of.day))

/** A calendar day, such as 26 Jan 2027. A day that is not entered yet stays as it is. */
export const dateText = (day: string) => {
  const time = Date.parse(day)
  return Number.isNaN(time) ? day : date.format(time)
}

/** A time of the document in the language of the page. A text that is no time stays as it is. */
export const timeText = (time: string) => {
  const clock = fieldTime(time)
  return clock === '' ? time : timeOfDay(clock)
}

/** A list of weekdays in the language of the page, such as Monday-Friday. */
export const daysText = (days: string) =>
  days.replace(/[A-Z]\w+/g, (name) => weekdayNames[weekdays.indexOf(name)] ?? name)

/** When the office is open on a day: its spans, or that it is closed. */
export function hoursText(times: Times): string {
  const spans = writtenSpans(times).map(({ open, close }) =>
    fill(text.span, { from: timeText(open), to: timeText(close) }),
  )
  return spans.length > 0 ? fill(text.open, { hours: spans.join(', ') }) : text.closed
}

const specialText = (day: SpecialDay) =>
  [dateText(day.date), hoursText(day), day.name].filter((part) => part !== '').join(', ')

const yearlyText = (day: YearlyDay) => `${dayMonthText(day)} ${day.name}`.trim()

const closedAllDay: Times = { open: null, close: null }

/** What changes between two values of the hours: of the week, of the yearly holidays, of single days. */
export const hoursSentences = (before: HoursValue, after: HoursValue): string[] => [
  ...weekSentences(before, after),
  ...entrySentences(before.yearly, after.yearly, yearlyText),
  ...entrySentences(before.specialDays, after.specialDays, specialText),
]

const timesOn = ({ hours }: HoursValue, day: number): Times =>
  hours.find(({ days }) => weekdaysOf(days).includes(day)) ?? closedAllDay

/** A sentence for the weekdays that change in the same way. */
function weekSentences(before: HoursValue, after: HoursValue): string[] {
  const groups = new Map<string, number[]>()
  for (const day of weekdays.keys()) {
    const [was, is] = [hoursText(timesOn(before, day)), hoursText(timesOn(after, day))]
    if (was !== is) groups.set(`${was}/${is}`, [...(groups.get(`${was}/${is}`) ?? []), day])
  }
  return [...groups.values()].map((days) => {
    const [first = 0] = days
    return weekSentence(
      days.map((day) => weekdayNames[day] ?? '').join(', '),
      timesOn(before, first),
      timesOn(after, first),
    )
  })
}

function weekSentence(days: string, was: Times, is: Times): string {
  const [spansBefore, spans] = [writtenSpans(was), writtenSpans(is)]
  const [wasOpen, wasClose] = [spansBefore.at(0)?.open, spansBefore.at(-1)?.close]
  const [opens, closes] = [spans.at(0)?.open, spans.at(-1)?.close]
  if (opens && closes && wasOpen && wasClose && areSame(was.breaks ?? [], is.breaks ?? [])) {
    if (opens === wasOpen)
      return fill(text.closesAt, { days, value: timeText(closes), before: timeText(wasClose) })
    if (closes === wasClose)
      return fill(text.opensAt, { days, value: timeText(opens), before: timeText(wasOpen) })
  }
  return fill(text.changed, { setting: days, value: hoursText(is), before: hoursText(was) })
}

/** The entries that only one of two lists has. */
export function entrySentences<Entry>(
  before: readonly Entry[],
  after: readonly Entry[],
  textOf: (entry: Entry) => string,
  setting?: string,
): string[] {
  const missing = (from: readonly Entry[], of: readonly Entry[]) =>
    of.filter((entry) => from.every((other) => textOf(other) !== textOf(entry))).map(textOf)
  const named = (value: string) => (setting === undefined ? value : fill(text.set, { setting, value }))
  return [
    ...missing(after, before).map((value) => fill(text.removed, { value: named(value) })),
    ...missing(before, after).map((value) => fill(text.added, { value: named(value) })),
  ]
}

/** The words for an entry of the hours' lists; undefined for any other value. */
export function hoursEntryText(value: object): string | undefined {
  if ('date' in value) return specialText(value as SpecialDay)
  if ('month' in value) return yearlyText(value as YearlyDay)
  if ('days' in value) {
    const entry = value as HoursValue['hours'][number]
    return fill(text.set, { setting: daysText(entry.days), value: hoursText(entry) })
  }
  return undefined
}
