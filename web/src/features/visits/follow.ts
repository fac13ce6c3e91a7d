import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query'
import type { Bodies, Visit } from '@/api/types'
import { visitOf } from './stage'
import { forecastMs, untilForecast } from './until-forecast'

/** Where a list was read, and when it was last read in whole. */
type Followed = { position: string; wholeAt: number }

/** Of a list that is not cached the position is not used. */
const followedLists = new WeakMap<QueryClient, Map<string, Followed>>()

/** The refetch at an interval may come a little early. */
const slackMs = 1_000

type Context = { client: QueryClient; queryKey: QueryKey }
type Read = (query: { since?: string }) => Promise<Bodies['VisitsAnswer']>

/**
 * Returns a list in whole: reads what changed after the last answer, and merges it into the cached list. While visitors
 * wait, the list itself is read every half a minute, since forecasts and waits change without an event.
 */
export async function follow({ client, queryKey }: Context, read: Read): Promise<Visit[]> {
  const [lists, list] = [followedLists.get(client) ?? new Map<string, Followed>(), hashKey(queryKey)]
  followedLists.set(client, lists)
  const asked = Date.now()
  const followed = lists.get(list)
  const known = client.getQueryData<Visit[]>(queryKey)
  const due = untilForecast(known) !== false && asked - (followed?.wholeAt ?? 0) >= forecastMs - slackMs
  const since = known && !due ? followed?.position : undefined

  const answer = await read(since === undefined ? {} : { since })
  const visits = answer.visits.map(visitOf)
  const whole = answer.reset ?? true
  const position = awaitForecast(visits) ? since : answer.position
  if (position === undefined) lists.delete(list)
  else lists.set(list, { position, wholeAt: whole ? asked : (followed?.wholeAt ?? asked) })
  if (whole) return visits
  return merged(client.getQueryData<Visit[]>(queryKey) ?? [], visits, answer.removed ?? [])
}

/** A new visitor's forecast is made after the change: the change is read again until it has one. */
const awaitForecast = (visits: readonly Visit[]) =>
  visits.some(({ queue }) => queue.forecast === null && untilForecast([{ queue }]) !== false)

/** The list with the changed visits and without the removed ones, by day and token as the server sorts it. */
function merged(list: readonly Visit[], changed: readonly Visit[], removed: readonly string[]): Visit[] {
  const replaced = new Set([...removed, ...changed.map(({ id }) => id)])
  return [...list.filter(({ id }) => !replaced.has(id)), ...changed].toSorted(
    (one, other) =>
      one.day.localeCompare(other.day) ||
      one.token.length - other.token.length ||
      one.token.localeCompare(other.token),
  )
}
