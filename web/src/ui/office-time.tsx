import { createContext, use, useEffect, useMemo, useState, type ReactNode } from 'react'
import { serverNow } from '@/clock'

/** How the office writes a moment: its own zone, 20 Nov 2026, 2:05 PM. */
export type OfficeTime = {
  day: (moment: string) => string
  /** A day of the office, given as YYYY-MM-DD. */
  dayOf: (day: string) => string
  /** The weekday of such a day, in full. */
  weekdayOf: (day: string) => string
  time: (moment: string) => string
  /** A time of the office's day, given as HH:MM. */
  timeOf: (time: string) => string
  timeWithSeconds: (moment: string) => string
  /** The office's day of this moment, as YYYY-MM-DD. */
  today: () => string
}

const Context = createContext<OfficeTime | null>(null)

const written: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short', year: 'numeric' }

const partsOf = (formatter: Intl.DateTimeFormat, moment: Date): Record<string, string> =>
  Object.fromEntries(formatter.formatToParts(moment).map(({ type, value }) => [type, value]))

export function officeTime(timeZone: string): OfficeTime {
  const format = (options: Intl.DateTimeFormatOptions) => {
    const formatter = new Intl.DateTimeFormat('en-US', { timeZone, ...options })
    return (moment: Date) => partsOf(formatter, moment)
  }
  const day = format(written)
  const clock = format({ hour: 'numeric', minute: '2-digit', second: '2-digit', hour12: true })
  const numeric = format({ day: '2-digit', month: '2-digit', year: 'numeric' })
  const shown = (parts: Record<string, string>) => `${parts.day} ${parts.month} ${parts.year}`
  const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' })
  const calendar = new Intl.DateTimeFormat('en-US', { ...written, timeZone: 'UTC' })
  const dial = new Intl.DateTimeFormat('en-US', {
    hour: 'numeric',
    minute: '2-digit',
    hour12: true,
    timeZone: 'UTC',
  })
  return {
    day: (moment) => shown(day(new Date(moment))),
    dayOf: (text) => shown(partsOf(calendar, new Date(text))),
    weekdayOf: (text) => weekday.format(new Date(text)),
    time: (moment) => {
      const parts = clock(new Date(moment))
      return `${parts.hour}:${parts.minute} ${parts.dayPeriod}`
    },
    timeOf: (text) => {
      const parts = partsOf(dial, new Date(`1970-01-01T${text}Z`))
      return `${parts.hour}:${parts.minute} ${parts.dayPeriod}`
    },
    timeWithSeconds: (moment) => {
      const parts = clock(new Date(moment))
      return `${parts.hour}:${parts.minute}:${parts.second} ${parts.dayPeriod}`
    },
    today: () => {
      const parts = numeric(new Date(serverNow()))
      return `${parts.year}-${parts.month}-${parts.day}`
    },
  }
}

/** Gives the screens below it the office's time zone. */
export function OfficeTimeProvider({ timeZone, children }: { timeZone: string; children: ReactNode }) {
  const value = useMemo(() => officeTime(timeZone), [timeZone])
  return <Context value={value}>{children}</Context>
}

export function useOfficeTime(): OfficeTime {
  const value = use(Context)
  if (!value) throw new Error('useOfficeTime needs an OfficeTimeProvider above it')
  return value
}

/** The server's time in milliseconds, new after every interval: for figures that grow while nobody touches them. */
export function useNow(interval: number): number {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), interval)
    return () => clearInterval(timer)
  }, [interval])
  return now
}

/** Whole minutes between two moments, never below zero. */
export const minutesBetween = (from: string, to: number) =>
  Math.max(0, Math.floor((to - Date.parse(from)) / 60_000))
