import { queryOptions } from '@tanstack/react-query'
import { messages } from '@/admin-messages'
import { api, payload } from '@/api/client'

/** How accurate the forecasts of the last 30 days were. */
export const accuracyQuery = queryOptions({
  queryKey: ['foresight', 'accuracy'],
  queryFn: async ({ signal }) => (await payload(api.GET('/api/visits/accuracy', { signal }))).accuracy,
  meta: { failure: messages.accuracy.failed },
})

/** The visitors expected in the next 14 days. They change slowly: an answer is fresh for ten minutes. */
export const demandQuery = queryOptions({
  queryKey: ['foresight', 'demand'],
  queryFn: async ({ signal }) => (await payload(api.GET('/api/visits/demand', { signal }))).demand,
  staleTime: 600_000,
})
