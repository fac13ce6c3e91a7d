import type { Stage, Visit } from '@/api/types'
import { isUnsent } from '@/live/offline-mode'

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other))

/** The arrival of a visitor: the registration, or the time that a desk without network has recorded. */
export const arrivalOf = ({ createdAt, offline }: Pick<Visit, 'createdAt' | 'offline'>) =>
  offline?.arrivedAt ?? createdAt

/**
 * The T number that determines a visit's position in the day's list. For a token of a desk without network, it is the
 * last T number that the desk knew when it gave out the token.
 */
const placeOf = ({ token, offline }: Visit) => offline?.after ?? Number(token.slice(2))

/**
 * The order of today's visits: first the visits that only this desk has, then by day and token. A token of a desk
 * without network follows the T number that `placeOf` returns.
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

/** The parts of the list, in their order. */
const parts: Partial<Record<Stage, number>> = { called: 0, waiting: 1, new: 2, held: 3, missed: 4 }

/**
 * The order of visits that are neither over nor in session: visits that only this desk has, called visits,
 * the line by place, new visits by arrival, and visits on hold or missed.
 */
export function byLine(places: ReadonlyMap<string, number>) {
  const partOf = ({ id, queue }: Visit) => (isUnsent(id) ? -1 : (parts[queue.stage] ?? 5))
  const placeIn = ({ id }: Visit) => places.get(id) ?? Number.MAX_SAFE_INTEGER
  const calledAt = ({ queue }: Visit) => (queue.stage === 'called' ? (queue.calledAt ?? '') : '')
  const arrived = (visit: Visit) => (visit.queue.stage === 'new' ? arrivalOf(visit) : '')
  return (one: Visit, other: Visit) =>
    partOf(one) - partOf(other) ||
    placeIn(one) - placeIn(other) ||
    compare(calledAt(one), calledAt(other)) ||
    compare(arrived(one), arrived(other)) ||
    byToken(one, other)
}
