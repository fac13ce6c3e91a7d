import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, payload } from '@/api/client'
import type { StaffAppointment } from '@/api/types'
import { inBackground } from '@/in-background'
import { messages } from '@/staff-messages'
import { LoadAgain } from '@/ui/load-again'
import { useOfficeTime } from '@/ui/office-time'
import { ServiceName } from '@/ui/office-words'
import { Panel } from '@/ui/panel'
import { appointmentKeys } from './queries'
import './booked-today.css'

const text = messages.bookedToday

/** What takes no place any more is not shown. */
const isBooked = ({ status }: StaffAppointment) => status !== 'cancelled' && status !== 'declined'

const bookedQuery = (day: string) =>
  queryOptions({
    queryKey: [...appointmentKeys.all, 'booked', day],
    queryFn: async ({ signal }) => {
      const answer = await payload(
        api.GET('/api/appointments/day', { params: { query: { date: day } }, signal }),
      )
      return answer.day.appointments.filter(isBooked)
    },
  })

/**
 * The own appointments of a consultant today, to be read. It is for consultants: the office's answer to others has all
 * appointments. It is not shown while there are none.
 */
export function BookedToday() {
  const time = useOfficeTime()
  const booked = useQuery(bookedQuery(time.today()))
  if (booked.isLoadingError)
    return (
      <Panel title={text.title}>
        <LoadAgain text={text.loadFailed} onRetry={() => inBackground(booked.refetch())} />
      </Panel>
    )
  if (!booked.data?.length) return null
  return (
    <Panel title={text.title} count={booked.data.length}>
      <ul className="booked-today">
        {booked.data.map(({ id, name, service, serviceId, preferredTime, status }) => (
          <li key={id}>
            <b>{time.timeOf(preferredTime)}</b>
            <span>
              {name}
              <small>
                <ServiceName of={{ id: serviceId ?? service, name: service }} />
              </small>
            </span>
            <span>{messages.appointments.filters[status]}</span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
