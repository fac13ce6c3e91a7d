import { queryOptions } from '@tanstack/react-query'
import { api, payload } from '@/api/client'

export const appointmentKeys = { all: ['appointments'] as const }

export const requestsAtOnce = 20

/** The number of pending requests. */
export const openAppointmentsQuery = queryOptions({
  queryKey: [...appointmentKeys.all, 'open'],
  queryFn: async ({ signal }) => {
    const query = { status: 'pending' as const, limit: 1 }
    return (await payload(api.GET('/api/appointments', { params: { query }, signal }))).pagination.total
  },
})

const mostADay = 100

/** The requests of a day that are pending or confirmed, sorted by time. */
export const expectedQuery = (day: string) =>
  queryOptions({
    queryKey: [...appointmentKeys.all, 'expected', day],
    queryFn: async ({ signal }) => {
      const query = { date: day, limit: mostADay }
      const { appointments } = await payload(api.GET('/api/appointments', { params: { query }, signal }))
      return appointments
        .filter(({ status }) => status === 'pending' || status === 'confirmed')
        .toSorted((a, b) => a.preferredTime.localeCompare(b.preferredTime))
    },
  })
