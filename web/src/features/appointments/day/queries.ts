import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, payload } from '@/api/client'
import { appointmentKeys, requestsAtOnce } from '@/features/appointments/queries'
import { messages } from '@/staff-messages'

const text = messages.day

/** The slots and the appointments of a day (YYYY-MM-DD). */
export const dayQuery = (date: string) =>
  queryOptions({
    queryKey: [...appointmentKeys.all, 'day', date],
    queryFn: async ({ signal }) =>
      (await payload(api.GET('/api/appointments/day', { params: { query: { date } }, signal }))).day,
    meta: { failure: text.loadFailed },
  })

/** The lists besides the day: what is pending, what was not answered in time, and what needs a new time. */
export type ListKind = 'requests' | 'answer' | 'time'

const filterOf = {
  requests: { status: 'pending' },
  answer: { needs: 'answer' },
  time: { needs: 'time' },
} as const

export const listQuery = (kind: ListKind, page: number) =>
  queryOptions({
    queryKey: [...appointmentKeys.all, 'of', kind, page],
    queryFn: ({ signal }) => {
      const query = { ...filterOf[kind], page, limit: requestsAtOnce }
      return payload(api.GET('/api/appointments', { params: { query }, signal }))
    },
    placeholderData: keepPreviousData,
    meta: { failure: text.loadFailed },
  })

/** The slots of one day, and the first free one from that day on. */
export const slotsQuery = (from: string) =>
  queryOptions({
    queryKey: [...appointmentKeys.all, 'slots', from],
    queryFn: ({ signal }) =>
      payload(api.GET('/api/appointments/slots', { params: { query: { from, days: 1 } }, signal })),
    staleTime: 10_000,
    meta: { failure: text.loadFailed },
  })

/** The channels over which the office sends messages about appointments. */
export const channelsQuery = queryOptions({
  queryKey: ['appointment-channels'],
  queryFn: ({ signal }) => payload(api.GET('/api/lobby/channels', { signal })),
  retry: false,
})

/** The client's link, and the messages that were sent about an appointment. */
export const linkQuery = (id: string) =>
  queryOptions({
    queryKey: [...appointmentKeys.all, 'link', id],
    queryFn: async ({ signal }) =>
      (await payload(api.GET('/api/lobby/appointments/{id}/link', { params: { path: { id } }, signal })))
        .link,
    staleTime: 0,
    retry: false,
  })
