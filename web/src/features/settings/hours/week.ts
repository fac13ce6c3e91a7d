import { weekdays } from '@/office-clock'
import { weekdaysOf } from '@/opening-on'
import type { Break, Hours } from '@/features/settings/data/document'
import { without } from '@/features/settings/data/pointer'
import { fieldTime, writtenTime } from './clock'

/** The days of an entry for a set of weekdays, counted from 0 for Monday: "Monday-Friday", "Monday, Thursday". */
export function daysOf(chosen: readonly number[]): string {
  const sorted = [...new Set(chosen)].sort((a, b) => a - b)
  const runs: number[][] = []
  for (const day of sorted) {
    const run = runs.at(-1)
    if (run?.at(-1) === day - 1) run.push(day)
    else runs.push([day])
  }
  return runs
    .flatMap((run) => (run.length < 3 ? run.map(nameOf) : [`${nameOf(run[0])}-${nameOf(run.at(-1))}`]))
    .join(', ')
}

const nameOf = (day = -1) => weekdays[day] ?? ''

const usual = { open: '9 AM', close: '6 PM' }

/** The hours with other days for one entry. A day has one entry, so the others lose it, and an empty one goes. */
export function withDays(hours: readonly Hours[], index: number, chosen: readonly number[]): Hours[] {
  return hours.flatMap((entry, at) => {
    if (at === index) return [{ ...entry, days: daysOf(chosen) }]
    const kept = weekdaysOf(entry.days).filter((day) => !chosen.includes(day))
    return kept.length > 0 ? [{ ...entry, days: daysOf(kept) }] : []
  })
}

/** The hours with one more entry: for the days that none has. */
export function withEntry(hours: readonly Hours[]): Hours[] {
  const named = hours.flatMap(({ days }) => weekdaysOf(days))
  return [
    ...hours,
    { days: daysOf(weekdays.map((_name, day) => day).filter((day) => !named.includes(day))), ...usual },
  ]
}

export type Times = Pick<Hours, 'open' | 'close' | 'breaks'>

/** The times of a day that is closed or opens. */
export function withOpen<T extends Times>(times: T, open: boolean) {
  return { ...without(times, 'breaks'), ...(open ? usual : { open: null, close: null }) }
}

/** The times with other breaks, which stand in their order. A day without breaks has no list. */
export function withBreaks<T extends Times>(times: T, breaks: readonly Break[]) {
  const inOrder = breaks.toSorted((a, b) => (fieldTime(a.from) < fieldTime(b.from) ? -1 : 1))
  return { ...without(times, 'breaks'), ...(inOrder.length > 0 ? { breaks: inOrder } : {}) }
}

/** A break to start with: at one in the afternoon, or an hour after the last break. */
export function nextBreak(breaks: readonly Break[]): Break {
  const last = Number.parseInt(fieldTime(breaks.at(-1)?.to ?? '12 PM'), 10)
  const at = (hour: number) => writtenTime(`${String(Math.min(hour, 23)).padStart(2, '0')}:00`)
  return { from: at(last + 1), to: at(last + 2) }
}
