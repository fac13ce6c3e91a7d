import type { Language } from '@/locales/languages'
import { formatLocale, locale } from '@/messages'

/** The twelve-hour clock: AM and PM in English, the part of the day in the other languages. */
export const twelveHoursIn = (language: Language): Intl.DateTimeFormatOptions => ({
  hour: 'numeric',
  hour12: true,
  ...(language === 'en' ? {} : { dayPeriod: 'short' }),
})

const twelveHours = twelveHoursIn(locale)

const hours = new Intl.DateTimeFormat(formatLocale, { ...twelveHours, timeZone: 'UTC' })
const minutes = new Intl.DateTimeFormat(formatLocale, {
  ...twelveHours,
  minute: '2-digit',
  timeZone: 'UTC',
})

/** Formats a time. Browsers differ in the space before AM and PM. */
export const clockText = (format: Intl.DateTimeFormat, date: Date) =>
  format.format(date).replace('\u202f', ' ')

/** Formats a time of day given as HH:MM on the twelve-hour clock: 17:00 becomes 5:00 PM. */
export function timeOfDay(time: string): string {
  return clockText(minutes, new Date(`1970-01-01T${time}Z`))
}

/** Formats an hour of the day, from 0 to 24, on the twelve-hour clock: 14 becomes 2 PM. */
export function hourOfDay(hour: number): string {
  return clockText(hours, new Date(Date.UTC(1970, 0, 1, hour)))
}
