import type { Visit } from '@/api/types'
import { isUnsent } from '@/live/offline-mode'

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other))

/** When the visitor came: the registration, or the time that a desk without network has noted. */
export const arrivalOf = ({ createdAt, offline }: Pick<Visit, 'createdAt' | 'offline'>) =>
  offline?.arrivedAt ?? createdAt

/** The number of T where a visit stands in the day's list: a desk's own token follows the last one at its arrival. */
const placeOf = ({ token, offline }: Visit) => offline?.after ?? Number(token.slice(2))

/**
 * The order of today's visits: what only this desk has, then by day and token, tokens of desks without network by
 * arrival.
 */
export const byToken = (one: Visit, other: Visit) =>
  Number(isUnsent(other.id)) - Number(isUnsent(one.id)) ||
  compare(one.day, other.day) ||
  placeOf(one) - placeOf(other) ||
  Number(Boolean(one.offline)) - Number(Boolean(other.offline)) ||
  compare(one.offline?.arrivedAt ?? '', other.offline?.arrivedAt ?? '') ||
  compare(one.token.charAt(0), other.token.charAt(0)) ||
  one.token.length - other.token.length ||
  compare(one.token, other.token)

/** The order of the visits that wait for a decision. */
export const oldestFirst = (one: Visit, other: Visit) =>
  compare(arrivalOf(one), arrivalOf(other)) || compare(one.id, other.id)
