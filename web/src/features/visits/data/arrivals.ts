import { queryOptions } from '@tanstack/react-query'
import { api, payload } from '@/api/client'

export const arrivalKeys = { all: ['arrivals'] as const }

/** Who has asked for a token by phone and waits for an answer, and who says to be back after a missed call. */
export const arrivalsQuery = queryOptions({
  queryKey: arrivalKeys.all,
  queryFn: ({ signal }) => payload(api.GET('/api/lobby/arrivals', { signal })),
})
