import { queryOptions } from '@tanstack/react-query'
import { api, payload } from '@/api/client'
import { followed } from '@/api/followed-list'
import type { Bodies, Line, Visit } from '@/api/types'
import { messages } from '@/staff-messages'
import { byToken, oldestFirst } from './order'
import { visitOf } from './stage'
import { awaitsForecast, forecastsAgeIn, untilForecast } from './until-forecast'

/** Keys, or beginnings of keys. Invalidating a beginning invalidates all queries whose keys begin with it. */
export const visitKeys = {
  all: ['visits'] as const,
  today: ['visits', 'today'] as const,
  pending: ['visits', 'pending'] as const,
  line: ['visits', 'line'] as const,
  desks: ['visits', 'desks'] as const,
  attention: ['visits', 'attention'] as const,
  documents: ['visits', 'documents'] as const,
  consents: ['visits', 'consents'] as const,
}

/** The options of a query for a list of visits. Most responses after the first have only the changes. */
const followedVisits = (
  read: (query: { since?: string }, signal: AbortSignal) => Promise<Bodies['VisitsAnswer']>,
  order: (one: Visit, other: Visit) => number,
) =>
  followed<Visit>({
    read: async (query, signal) => {
      const { visits, ...answer } = await read(query, signal)
      return { rows: visits.map(visitOf), ...answer }
    },
    order,
    agesIn: forecastsAgeIn,
    isIncomplete: awaitsForecast,
  })

/** Today's visits that the caller may see: a consultant gets only their own. */
export const todayQuery = (failure: string = messages.visits.loadFailed) =>
  queryOptions({
    queryKey: visitKeys.today,
    ...followedVisits(
      (query, signal) => payload(api.GET('/api/visits/today', { params: { query }, signal })),
      byToken,
    ),
    refetchInterval: ({ state }) => untilForecast(state.data?.rows),
    meta: { failure },
  })

/** Visits that wait for a decision, oldest first. */
export const pendingQuery = queryOptions({
  queryKey: visitKeys.pending,
  ...followedVisits(
    (query, signal) => payload(api.GET('/api/visits/pending-approval', { params: { query }, signal })),
    oldestFirst,
  ),
  refetchInterval: ({ state }) => untilForecast(state.data?.rows),
  meta: { failure: messages.visits.loadFailed },
})

/** The line, the visits that wait outside it, and the desks. A consultant gets only their own line, without names. */
export const lineQuery = queryOptions({
  queryKey: visitKeys.line,
  queryFn: async ({ signal }): Promise<Line> => {
    const answer = await payload(api.GET('/api/visits/line', { signal }))
    const { held, missed, leftOver, carried = [], ended = [] } = answer
    return {
      ...answer,
      held: held.map(visitOf),
      missed: missed.map(visitOf),
      leftOver: leftOver.map(visitOf),
      carried: carried.map(visitOf),
      ended: ended.map(visitOf),
    }
  },
  refetchInterval: ({ state }) =>
    untilForecast(state.data?.line.map(({ forecast }) => ({ queue: { stage: 'waiting', forecast } }))),
  meta: { failure: messages.life.line.loadFailed },
})

/** The desk of every active consultant. */
export const desksQuery = queryOptions({
  queryKey: visitKeys.desks,
  queryFn: async ({ signal }) => (await payload(api.GET('/api/visits/desks', { signal }))).desks,
  meta: { failure: messages.life.line.loadFailed },
})

/**
 * The visitor's earlier visits, for the consultant of the visit or an admin. The server logs each read, so they are
 * read once: live events do not invalidate this key.
 */
export const earlierQuery = ({ id }: Visit) =>
  queryOptions({
    queryKey: ['earlier-visits', id],
    queryFn: async ({ signal }) =>
      (await payload(api.GET('/api/visits/{id}/earlier', { params: { path: { id } }, signal }))).visits,
  })

const forgetLookupMs = 60_000

/** The visitor with this phone number, or null. The server logs each lookup. An unused result is dropped after 60 s. */
export const lookupQuery = (phone: string) =>
  queryOptions({
    queryKey: ['lookup', phone] as const,
    queryFn: async ({ signal }) =>
      (await payload(api.POST('/api/visits/lookup', { body: { phone }, signal }))).visitor,
    gcTime: forgetLookupMs,
    retry: false,
    // Enter waits for this response, so the query fails at once without a network.
    networkMode: 'always',
  })
