import type { components } from '@/api/directory'

export type OfficeHours = components['schemas']['OfficeHours']

const week = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** Opening and closing time of a day as HH:MM; null when the office is closed. */
export type OpenFromTo = { from: string; to: string } | null

/** The opening hours on a calendar day (YYYY-MM-DD). A day of the week that the office does not name is closed. */
export function openingOn(hours: readonly OfficeHours[], day: string): OpenFromTo {
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
  const entry = hours.find(({ days }) => includes(days, weekday))
  return entry?.open && entry.close ? { from: clockOf(entry.open), to: clockOf(entry.close) } : null
}

/** Whether a list such as "Monday-Friday" or "Saturday, Sunday" has the day with the index, from 0 for Monday. */
const includes = (days: string, weekday: number) =>
  days.split(',').some((part) => {
    const [from = '', to = from] = part.split('-').map((name) => name.trim())
    return week.indexOf(from) <= weekday && weekday <= week.indexOf(to)
  })

/** Converts 9 AM, 9:30 PM or 14:00 to HH:MM. */
function clockOf(text: string): string {
  const [, hour = '', minute = '00', half] = /^(\d{1,2})(?::(\d\d))?(?: ([AP]M))?$/.exec(text) ?? []
  const inDay = half === undefined ? Number(hour) : (Number(hour) % 12) + (half === 'PM' ? 12 : 0)
  return `${String(inDay).padStart(2, '0')}:${minute}`
}

/** Whether the office is open at a time (HH:MM). */
export const isOpenAt = (opening: OpenFromTo, time: string) =>
  opening !== null && time >= opening.from && time < opening.to
