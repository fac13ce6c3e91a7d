import { messages as adminMessages } from '@/admin-messages'
import type { Span } from '@/api/types'
import { counted, fill } from '@/messages'
import { messages } from '@/staff-messages'
import { hourOfDay } from '@/ui/time-of-day'
import type { ReportRow } from './report-panel'

const text = adminMessages.reports
const nothing = messages.records.nothing

const numberText = (value: number | null | undefined) =>
  value === null || value === undefined ? nothing : counted(value)

/** A share as a whole percent, or the text for a missing value if the total is 0. */
export const shareText = (part: number, total: number) =>
  total === 0 ? nothing : fill(text.percent, { value: Math.round((100 * part) / total) })

/** The average minutes of a session; null without sessions. */
export const averageOf = ({
  sessions,
  session_minutes: minutes,
}: {
  sessions: number
  session_minutes: number
}) => (sessions === 0 ? null : Math.round(minutes / sessions))

/** Arrivals by weekday and hour, as drawn by the heat map: a row for each day below the titles of the columns. */
export const arrivalRows = (
  days: readonly string[],
  hours: readonly number[],
  arrivals: Span['arrivals'],
): string[][] => [
  [text.weekday, ...hours.map((hour) => hourOfDay(hour))],
  ...days.map((day, index) => [day, ...hours.map((hour) => counted(arrivals[index]?.[hour] ?? 0))]),
]

export const outcomeRows = (now: Span, before: Span): ReportRow[] =>
  (
    [
      ['completed', text.completed],
      ['denied', text.denied],
      ['left', text.left],
      ['no_show', text.noShow],
      ['cancelled', text.cancelled],
    ] as const
  ).map(([key, name]) => ({
    key,
    cells: [name, counted(now.outcomes[key]), counted(before.outcomes[key])],
  }))

export const hourRows = (now: Span, before: Span): ReportRow[] =>
  now.hours.map(({ hour, waits }) => ({
    key: String(hour),
    cells: [
      hourOfDay(hour),
      counted(waits.visits),
      ...[waits.p50, waits.p80, waits.p95, before.hours.find((one) => one.hour === hour)?.waits.p80].map(
        numberText,
      ),
    ],
  }))

export const serviceRows = (now: Span['services'], before: Span): ReportRow[] =>
  now.map(({ id, name, waits }) => ({
    key: id,
    cells: [
      name,
      counted(waits.visits),
      ...[waits.p50, waits.p80, waits.p95, before.services.find((one) => one.id === id)?.waits.p80].map(
        numberText,
      ),
      shareText(waits.over_30, waits.visits),
    ],
  }))

export const sessionRows = (
  now: Span['services'],
  before: Span,
  estimates: ReadonlyMap<string, number>,
): ReportRow[] =>
  now.map((service) => {
    const old = before.services.find(({ id }) => id === service.id)
    return {
      key: service.id,
      cells: [
        service.name,
        ...[averageOf(service), estimates.get(service.id), old && averageOf(old)].map(numberText),
      ],
    }
  })

const hours = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 1, maximumFractionDigits: 1 })
const hoursText = (minutes: number) => hours.format(minutes / 60)

export const loadRows = (now: Span, before: Span): ReportRow[] =>
  now.consultants.map(({ id, name, visits, session_minutes: minutes }) => ({
    key: id,
    cells: [
      name,
      counted(visits),
      counted(before.consultants.find((one) => one.id === id)?.visits ?? 0),
      hoursText(minutes),
    ],
  }))
