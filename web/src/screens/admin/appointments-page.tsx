import { useQuery } from '@tanstack/react-query'
import { useCheckIn } from '@/check-in'
import { OfficeCalendars } from '@/features/calendars/calendars'
import { consultantsQuery } from '@/features/directory/queries'
import { StaffAppointments } from '@/staff-appointments'
import { messages } from '@/staff-messages'
import { Panel } from '@/ui/panel'

/** The appointments of the office, and the addresses of their calendars. */
export function AppointmentsPage() {
  const arrivals = useCheckIn()
  const { data: consultants = [] } = useQuery(consultantsQuery)
  return (
    <>
      <Panel title={messages.day.title}>
        <StaffAppointments arrivals={arrivals} />
      </Panel>
      <OfficeCalendars consultants={consultants} />
    </>
  )
}
