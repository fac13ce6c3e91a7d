import { queryOptions } from '@tanstack/react-query'
import { api, payload } from '@/api/client'
import type { Visit } from '@/api/types'
import { messages } from '@/messages'

/** Keys from general to specific: a live event names the general ones. */
export const visitKeys = {
  all: ['visits'] as const,
  today: ['visits', 'today'] as const,
  pending: ['visits', 'pending'] as const,
}

/** The office day's visits, for the caller: a consultant gets their own. */
export const todayQuery = (failure: string = messages.visits.loadFailed) =>
  queryOptions({
    queryKey: visitKeys.today,
    queryFn: async ({ signal }) => (await payload(api.GET('/api/visits/today', { signal }))).visits,
    structuralSharing: keepNewest,
    meta: { failure },
  })

/** Every visit that waits for a decision, oldest first. */
export const pendingQuery = queryOptions({
  queryKey: visitKeys.pending,
  queryFn: async ({ signal }) => (await payload(api.GET('/api/visits/pending-approval', { signal }))).visits,
  structuralSharing: keepNewest,
  meta: { failure: messages.visits.loadFailed },
})

/** An answer that was under way while a visit changed is older than what is already known: the higher version stays. */
function keepNewest(known: unknown, answered: unknown): Visit[] {
  const newest = new Map((known as Visit[] | undefined)?.map((visit) => [visit.id, visit]))
  return (answered as Visit[]).map((visit) => {
    const before = newest.get(visit.id)
    return before && before.version > visit.version ? before : visit
  })
}
