import type { Dayjs } from 'dayjs'

/** The display format of a chosen day. */
export const shownDay = 'D MMM YYYY'

/** A chosen day as a query parameter, which is omitted if no day is chosen. */
export const dayOf = <Name extends string>(name: Name, day: Dayjs | null) =>
  (day ? { [name]: day.format('YYYY-MM-DD') } : {}) as Partial<Record<Name, string>>
