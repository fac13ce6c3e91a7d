import { queryOptions, replaceEqualDeep } from '@tanstack/react-query'
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

/**
 * The visitor's earlier visits, for whoever looks after them now. Each reading is recorded, so they are read once; the key
 * is not among those that a live event makes old.
 */
export const earlierQuery = ({ id }: Visit) =>
  queryOptions({
    queryKey: ['earlier-visits', id],
    queryFn: async ({ signal }) =>
      (await payload(api.GET('/api/visits/{id}/earlier', { params: { path: { id } }, signal }))).visits,
  })

/** An answer that was under way while a visit changed is older than what is already known: the higher version stays. */
function keepNewest(known: unknown, answered: unknown): Visit[] {
  const newest = new Map((known as Visit[] | undefined)?.map((visit) => [visit.id, visit]))
  return (answered as Visit[]).map((visit) => {
    const before = newest.get(visit.id)
    // What did not change stays the same object, so that only rows that changed are drawn again.
    return before && before.version > visit.version ? before : replaceEqualDeep(before, visit)
  })
}

const forgetLookupMs = 60_000

/** Who has been here with this phone number, null for nobody. Each look is recorded; it is forgotten here after a minute. */
export const lookupQuery = (phone: string) =>
  queryOptions({
    queryKey: ['lookup', phone] as const,
    queryFn: async ({ signal }) =>
      (await payload(api.POST('/api/visits/lookup', { body: { phone }, signal }))).visitor,
    gcTime: forgetLookupMs,
    retry: false,
  })
