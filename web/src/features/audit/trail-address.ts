import type { AuditEntity } from '@/api/types'
import type { TrailRequest } from './queries'

/** The kinds of records by which the trail can be filtered. */
export const entities: readonly AuditEntity[] = [
  'visit',
  'user',
  'session',
  'service',
  'consultant',
  'appointment',
  'due_date',
  'notification',
  'device',
  'audit',
]

/** The search text. It is kept in the history entry's state, because it may be a person's name. */
export type TrailState = { q?: string } | null

const isDay = (text: string | null) => text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text)

/** Reads a request from the address, and its search text from the state; null without a valid page. */
export function requestOf(search: URLSearchParams, state: TrailState = null): TrailRequest | null {
  const page = Number(search.get('page'))
  if (!Number.isInteger(page) || page < 1) return null
  const [start, end, entityId] = ['from', 'to', 'id'].map((name) => search.get(name))
  const entity = entities.find((one) => one === search.get('entity'))
  return {
    page,
    ...(start && isDay(start) ? { start } : {}),
    ...(end && isDay(end) ? { end } : {}),
    ...(entity ? { entity } : {}),
    ...(entityId ? { entityId } : {}),
    ...(state?.q ? { q: state.q } : {}),
  }
}

/** The address of a page of the trail, on the same tab. */
export function searchOf(search: URLSearchParams, request: TrailRequest): URLSearchParams {
  const { start, end, entity, entityId, page } = request
  const tab = search.get('tab')
  return new URLSearchParams({
    ...(tab ? { tab } : {}),
    ...(start ? { from: start } : {}),
    ...(end ? { to: end } : {}),
    ...(entity ? { entity } : {}),
    ...(entityId ? { id: entityId } : {}),
    page: String(page),
  })
}
