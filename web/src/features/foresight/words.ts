import { messages } from '@/admin-messages'
import { fill } from '@/messages'

const text = messages.accuracy

/** Minutes with one decimal, or the sentence that there is not enough history. */
export const minutesOf = (minutes: number | null) =>
  minutes === null ? text.unknown : fill(text.minutes, { minutes: minutes.toFixed(1) })

/** A share in whole percent, or the sentence that there is not enough history. */
export const percentOf = (share: number | null) =>
  share === null ? text.unknown : fill(text.percent, { percent: Math.round(share * 100) })
