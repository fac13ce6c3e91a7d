import { useCheckIn } from '@/check-in'
import { StaffAppointments } from '@/staff-appointments'
import { messages } from '@/staff-messages'
import { Panel } from '@/ui/panel'

/** The appointments of the office. */
export function AppointmentsPage() {
  const arrivals = useCheckIn()
  return (
    <Panel title={messages.day.title}>
      <StaffAppointments arrivals={arrivals} />
    </Panel>
  )
}
