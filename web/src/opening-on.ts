import type { Office } from '@/api/office'
import { clockOf, weekdays } from '@/office-clock'

/** What decides when the office is open: a special day goes before a yearly holiday, and both before the hours. */
export type OpeningTimes = Pick<Office, 'hours' | 'yearly' | 'specialDays'>

/** A span of opening hours of a day, as HH:MM. */
export type Span = { from: string; to: string }

/** The opening hours of a day or of several weekdays as the office document writes them, such as 9 AM. */
export type WrittenHours = Pick<Office['hours'][number], 'open' | 'close' | 'breaks'>
export type WrittenSpan = { open: string; close: string }

/**
 * The opening hours of a calendar day (YYYY-MM-DD), in order; empty when the office is closed. A weekday that the
 * document does not name is closed.
 */
export function openingOn(times: OpeningTimes, day: string): Span[] {
  const named = namedDay(times, day)
  if (named) return 'date' in named ? clockSpans(named) : []
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
  return times.hours
    .filter(({ days }) => includes(days, weekday))
    .flatMap(clockSpans)
    .sort((a, b) => (a.from < b.from ? -1 : 1))
}

/** The special day or yearly holiday on a calendar day; undefined on an ordinary day. */
export const namedDay = ({ yearly = [], specialDays = [] }: OpeningTimes, on: string) =>
  specialDays.find(({ date }) => date === on) ??
  yearly.find(({ month, day }) => `${twoDigits(month)}-${twoDigits(day)}` === on.slice('YYYY-'.length))

/** The spans from opening to closing time, interrupted by the breaks, in their order. */
export function writtenSpans({ open, close, breaks = [] }: WrittenHours): WrittenSpan[] {
  if (open === null || close === null) return []
  const inOrder = [...breaks].sort((a, b) => ((clockOf(a.from) ?? '') < (clockOf(b.from) ?? '') ? -1 : 1))
  const starts = [open, ...inOrder.map(({ to }) => to)]
  const ends = [...inOrder.map(({ from }) => from), close]
  return starts.map((start, index) => ({ open: start, close: ends[index] ?? close }))
}

const clockSpans = (hours: WrittenHours): Span[] =>
  writtenSpans(hours).flatMap(({ open, close }) => {
    const [from, to] = [clockOf(open), clockOf(close)]
    return from && to ? [{ from, to }] : []
  })

const twoDigits = (value: number) => String(value).padStart(2, '0')

/** Whether a list such as "Monday-Friday" or "Saturday, Sunday" has a weekday, counted from 0 for Monday. */
const includes = (days: string, weekday: number) => weekdaysOf(days).includes(weekday)

/** The weekdays of such a list, counted from 0 for Monday. */
export const weekdaysOf = (days: string): number[] =>
  days.split(',').flatMap((part) => {
    const [first = -1, last = first] = part.split('-').map((name) => weekdays.indexOf(name.trim()))
    return weekdays.flatMap((_name, index) => (first <= index && index <= last && first >= 0 ? [index] : []))
  })

/** Whether the office is open at a time (HH:MM). */
export const isOpenAt = (spans: readonly Span[], time: string) =>
  spans.some(({ from, to }) => time >= from && time < to)
