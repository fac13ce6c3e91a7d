import { AppointmentRequests } from '@/features/appointments/appointment-requests'
import { messages } from '@/messages'
import { Panel } from '@/ui/panel'

/** The appointment requests. Visits are registered at reception. */
export function AppointmentsPage() {
  return (
    <Panel title={messages.appointments.title}>
      <AppointmentRequests />
    </Panel>
  )
}
