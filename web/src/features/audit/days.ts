import type { Dayjs } from 'dayjs'

/** How a chosen day is written on the screen. */
export const shownDay = 'D MMM YYYY'

/** A chosen day under its name, as the API takes it; an empty one is left out. */
export const dayOf = <Name extends string>(name: Name, day: Dayjs | null) =>
  (day ? { [name]: day.format('YYYY-MM-DD') } : {}) as Partial<Record<Name, string>>
