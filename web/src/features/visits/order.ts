import type { Visit } from '@/api/types'

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other))

/** The order of today's visits: by day and token. A token has three digits or more. */
export const byToken = (one: Visit, other: Visit) =>
  compare(one.day, other.day) || one.token.length - other.token.length || compare(one.token, other.token)

/** The order of the visits that wait for a decision. */
export const oldestFirst = (one: Visit, other: Visit) =>
  compare(one.createdAt, other.createdAt) || compare(one.id, other.id)
