import type { Holiday, HoursValue, SpecialDay, YearlyDay } from '@/features/settings/data/document'

type Fixed = Omit<Holiday, 'month' | 'day'> & { month: number; day: number }

/** The holiday, if it has the same date in every year. */
export const fixedOf = ({ month, day, ...holiday }: Holiday): Fixed | undefined =>
  month === null || day === null ? undefined : { ...holiday, month, day }

/** Whether a holiday is in the value: a fixed one by its date, a movable one by its name, unless its day is over. */
export function isIn({ yearly, specialDays }: HoursValue, holiday: Holiday, today: string): boolean {
  const fixed = fixedOf(holiday)
  return fixed
    ? yearly.some(({ month, day }) => month === fixed.month && day === fixed.day)
    : specialDays.some(({ name, date }) => name === holiday.name && (date === '' || date >= today))
}

/**
 * The value with the chosen holidays of the list. A fixed one becomes a yearly day; a movable one becomes a special day
 * whose date is still to be entered.
 */
export function withHolidays(value: HoursValue, chosen: readonly Holiday[], today: string): HoursValue {
  const added = chosen.filter((holiday) => !isIn(value, holiday, today))
  const yearly = added
    .map(fixedOf)
    .filter((holiday) => holiday !== undefined)
    .map(({ month, day, name, texts }): YearlyDay => ({ month, day, name, ...given(texts) }))
  const special = added
    .filter((holiday) => !fixedOf(holiday))
    .map(({ name, texts }): SpecialDay => ({ date: '', name, ...given(texts), open: null, close: null }))
  return {
    ...value,
    yearly: byDate([...value.yearly, ...yearly]),
    specialDays: [...value.specialDays, ...special],
  }
}

/** The names in other languages, as a day of the document has them: left out if there are none. */
export const given = (texts: Record<string, string>) => (Object.keys(texts).length > 0 ? { texts } : {})

/** Yearly days in the order of the year. */
export const byDate = (days: readonly YearlyDay[]) =>
  days.toSorted((a, b) => a.month - b.month || a.day - b.day)
