import { locale } from '@/messages'

const twelveHours = { hour: 'numeric', hour12: true, timeZone: 'UTC' } as const
const hours = new Intl.DateTimeFormat(locale, twelveHours)
const minutes = new Intl.DateTimeFormat(locale, { ...twelveHours, minute: '2-digit' })

function partsOf(format: Intl.DateTimeFormat, date: Date) {
  const parts = format.formatToParts(date)
  return (type: Intl.DateTimeFormatPartTypes) => parts.find((each) => each.type === type)?.value ?? ''
}

/** Formats a time of day given as HH:MM on the twelve-hour clock: 17:00 becomes 5:00 PM. */
export function timeOfDay(time: string): string {
  const part = partsOf(minutes, new Date(`1970-01-01T${time}Z`))
  return `${part('hour')}:${part('minute')} ${part('dayPeriod')}`
}

/** Formats an hour of the day, from 0 to 24, on the twelve-hour clock: 14 becomes 2 PM. */
export function hourOfDay(hour: number): string {
  const part = partsOf(hours, new Date(Date.UTC(1970, 0, 1, hour)))
  return `${part('hour')} ${part('dayPeriod')}`
}
