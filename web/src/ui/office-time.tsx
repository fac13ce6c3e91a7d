import { createContext, use, useEffect, useMemo, useState, type ReactNode } from 'react'
import { serverNow } from '@/clock'
import type { Language } from '@/locales/languages'
import { formatLocaleOf, locale } from '@/messages'
import { clockText, timeOfDay, twelveHoursIn } from './time-of-day'

/** Formats timestamps in the office's time zone: 20 Nov 2026, 2:05 PM. */
export type OfficeTime = {
  day: (timestamp: string) => string
  /** Formats a calendar day, given as YYYY-MM-DD. */
  dayOf: (day: string) => string
  /** The full weekday of a calendar day. */
  weekdayOf: (day: string) => string
  time: (timestamp: string) => string
  /** Formats a time of the next hours without AM or PM: 2:05. */
  shortTime: (timestamp: string) => string
  /** Formats a time of day, given as HH:MM. */
  timeOf: (time: string) => string
  timeWithSeconds: (timestamp: string) => string
  /** The office's current day, as YYYY-MM-DD. */
  today: () => string
  /** The same functions for another language than the page's. `timeOf` stays in the page's language. */
  inLanguage: (language: Language) => OfficeTime
}

const Context = createContext<OfficeTime | null>(null)

const written: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short', year: 'numeric' }

const partsOf = (formatter: Intl.DateTimeFormat, timestamp: Date): Record<string, string> =>
  Object.fromEntries(formatter.formatToParts(timestamp).map(({ type, value }) => [type, value]))

export function officeTime(timeZone: string, language: Language = locale): OfficeTime {
  const formatLocale = formatLocaleOf(language)
  const twelveHours = twelveHoursIn(language)
  const format = (options: Intl.DateTimeFormatOptions) => {
    const formatter = new Intl.DateTimeFormat(formatLocale, { timeZone, ...options })
    return (timestamp: Date) => partsOf(formatter, timestamp)
  }
  const day = format(written)
  const clock = new Intl.DateTimeFormat(formatLocale, { timeZone, ...twelveHours, minute: '2-digit' })
  const seconds = new Intl.DateTimeFormat(formatLocale, {
    timeZone,
    ...twelveHours,
    minute: '2-digit',
    second: '2-digit',
  })
  const numeric = format({ day: '2-digit', month: '2-digit', year: 'numeric' })
  const shown = (parts: Record<string, string>) => `${parts.day} ${parts.month} ${parts.year}`
  const weekday = new Intl.DateTimeFormat(formatLocale, { weekday: 'long', timeZone: 'UTC' })
  const calendar = new Intl.DateTimeFormat(formatLocale, { ...written, timeZone: 'UTC' })
  return {
    day: (timestamp) => shown(day(new Date(timestamp))),
    dayOf: (text) => shown(partsOf(calendar, new Date(text))),
    weekdayOf: (text) => weekday.format(new Date(text)),
    time: (timestamp) => clockText(clock, new Date(timestamp)),
    shortTime: (timestamp) => {
      const parts = partsOf(clock, new Date(timestamp))
      return `${parts.hour}:${parts.minute}`
    },
    timeOf: timeOfDay,
    timeWithSeconds: (timestamp) => clockText(seconds, new Date(timestamp)),
    today: () => {
      const parts = numeric(new Date(serverNow()))
      return `${parts.year}-${parts.month}-${parts.day}`
    },
    inLanguage: (other) => officeTime(timeZone, other),
  }
}

export function OfficeTimeProvider({ timeZone, children }: { timeZone: string; children: ReactNode }) {
  const value = useMemo(() => officeTime(timeZone), [timeZone])
  return <Context value={value}>{children}</Context>
}

export function useOfficeTime(): OfficeTime {
  const value = use(Context)
  if (!value) throw new Error('useOfficeTime needs an OfficeTimeProvider above it')
  return value
}

/** The server's time in milliseconds, updated at an interval, for durations that grow on an idle screen. */
export function useNow(interval: number): number {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), interval)
    return () => clearInterval(timer)
  }, [interval])
  return now
}

/** Minutes and seconds as m:ss; the minutes continue past 59. */
export const minutesAndSeconds = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

/**
 * The running time since a timestamp. It is a component of its own, so that each second renders only these characters.
 */
export function RunningTime({ since }: { since: string }) {
  const now = useNow(1_000)
  const seconds = Math.floor((now - Date.parse(since)) / 1_000)
  return <span>{minutesAndSeconds(Math.max(0, seconds))}</span>
}

/** Whole minutes between two timestamps, never below zero. */
export const minutesBetween = (from: string, to: number) =>
  Math.max(0, Math.floor((to - Date.parse(from)) / 60_000))
