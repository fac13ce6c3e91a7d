import { queryOptions } from '@tanstack/react-query'
import { api, payload } from '@/api/client'

const anHour = 3_600_000

export const dueDateKeys = { all: ['due-dates'] as const }

/** The due dates of today and the next three days. The banner is only a hint, so a failure is not shown. */
export const dueSoonQuery = queryOptions({
  queryKey: [...dueDateKeys.all, 'soon'],
  queryFn: async ({ signal }) =>
    (await payload(api.GET('/api/due-dates', { params: { query: { days: 3 } }, signal }))).dueDates,
  refetchInterval: anHour,
})

/** The due dates of the next 400 days. An entry that repeats is listed once for each day. */
export const dueDatesQuery = queryOptions({
  queryKey: [...dueDateKeys.all, 'calendar'],
  queryFn: async ({ signal }) => (await payload(api.GET('/api/due-dates', { signal }))).dueDates,
})
