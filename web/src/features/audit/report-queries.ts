import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { messages } from '@/admin-messages'
import { api, payload } from '@/api/client'
import { auditKeys } from './queries'

/** The figures of a period and of the period before it. */
export const comparisonQuery = ({ start, end }: { start: string; end: string }) =>
  queryOptions({
    queryKey: [...auditKeys.figures, 'period', start, end],
    queryFn: ({ signal }) =>
      payload(
        api.GET('/api/analytics/period', { params: { query: { start_date: start, end_date: end } }, signal }),
      ),
    placeholderData: keepPreviousData,
    meta: { failure: messages.reports.failed },
  })

export const registerQuery = (day: string) =>
  queryOptions({
    queryKey: [...auditKeys.figures, 'register', day],
    queryFn: ({ signal }) =>
      payload(api.GET('/api/analytics/register', { params: { query: { day } }, signal })),
    placeholderData: keepPreviousData,
    meta: { failure: messages.reports.register.failed },
  })
