import type { components } from '@/api/directory'
import { clockOf, weekdays } from '@/office-clock'

export type OfficeHours = components['schemas']['OfficeHours']

/** A span of opening hours of a day, as HH:MM. */
export type Span = { from: string; to: string }

/**
 * The opening hours of a calendar day (YYYY-MM-DD), in order; empty when the office is closed. A weekday that the
 * document does not name is closed. Two entries for the same days are one day with a break.
 */
export function openingOn(hours: readonly OfficeHours[], day: string): Span[] {
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
  return hours
    .filter(({ days }) => includes(days, weekday))
    .flatMap(({ open, close }) => {
      const [from, to] = [open, close].map((text) => (text ? clockOf(text) : undefined))
      return from && to ? [{ from, to }] : []
    })
    .sort((a, b) => (a.from < b.from ? -1 : 1))
}

/** Whether a list such as "Monday-Friday" or "Saturday, Sunday" has a weekday, counted from 0 for Monday. */
const includes = (days: string, weekday: number) =>
  days.split(',').some((part) => {
    const [from = '', to = from] = part.split('-').map((name) => name.trim())
    return weekdays.indexOf(from) <= weekday && weekday <= weekdays.indexOf(to)
  })

/** Whether the office is open at a time (HH:MM). */
export const isOpenAt = (spans: readonly Span[], time: string) =>
  spans.some(({ from, to }) => time >= from && time < to)
