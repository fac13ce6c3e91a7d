import type { components } from '@/api/directory'
import { clockOf, weekdays } from '@/office-clock'

export type OfficeHours = components['schemas']['OfficeHours']

/** Opening and closing time of a day as HH:MM; null when the office is closed. */
export type OpenFromTo = { from: string; to: string } | null

/** The opening hours on a calendar day (YYYY-MM-DD). A day of the week that the office does not name is closed. */
export function openingOn(hours: readonly OfficeHours[], day: string): OpenFromTo {
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
  const entry = hours.find(({ days }) => includes(days, weekday))
  const [from, to] = [entry?.open, entry?.close].map((text) => (text ? clockOf(text) : undefined))
  return from && to ? { from, to } : null
}

/** Whether a list such as "Monday-Friday" or "Saturday, Sunday" has the day with the index, from 0 for Monday. */
const includes = (days: string, weekday: number) =>
  days.split(',').some((part) => {
    const [from = '', to = from] = part.split('-').map((name) => name.trim())
    return weekdays.indexOf(from) <= weekday && weekday <= weekdays.indexOf(to)
  })

/** Whether the office is open at a time (HH:MM). */
export const isOpenAt = (opening: OpenFromTo, time: string) =>
  opening !== null && time >= opening.from && time < opening.to
