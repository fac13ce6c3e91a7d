import { queryOptions } from '@tanstack/react-query'
import { api, payload } from '@/api/client'

export const arrivalKeys = { all: ['arrivals'] as const }

/** The visitors who have asked for a token with their phones, and those who are back after a missed call. */
export const arrivalsQuery = queryOptions({
  queryKey: arrivalKeys.all,
  queryFn: ({ signal }) => payload(api.GET('/api/lobby/arrivals', { signal })),
})
