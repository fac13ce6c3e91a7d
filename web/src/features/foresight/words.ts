import { fill } from '@/messages'
import { messages } from '@/staff-messages'

const text = messages.forecast.accuracy

/** Minutes with one decimal, or that there is not enough history. */
export const minutesOf = (minutes: number | null) =>
  minutes === null ? text.unknown : fill(text.minutes, { minutes: minutes.toFixed(1) })

/** A share in whole percent, or that there is not enough history. */
export const percentOf = (share: number | null) =>
  share === null ? text.unknown : fill(text.percent, { percent: Math.round(share * 100) })
