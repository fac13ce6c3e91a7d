import { useState } from 'react'
import type { Office } from '@/api/office'
import { AppointmentForm } from '@/features/appointments/appointment-form'
import type { Appointment } from '@/features/appointments/request-appointment'
import { useOfficeMinute } from '@/features/office/use-office-minute'
import { locale, messages } from '@/messages'
import { serviceNameIn } from '@/ui/office-words'
import { Counterfoil } from './counterfoil'
import { PrivacyNotice } from './privacy-notice'
import type { ShowToast } from './use-toasts'
import './booking.css'

const text = messages.appointments.form

/** The appointment form, drawn as a paper slip. Its counterfoil shows the request that was sent. */
export function Booking({ office, notify }: { office: Office; notify: ShowToast }) {
  const [appointment, setAppointment] = useState<Appointment>()
  const offer = {
    services: office.services.map((service) => service.name),
    names: new Map(
      office.services.map(({ name, texts }) => [name, serviceNameIn(locale, name, texts)] as const),
    ),
    slots: office.appointmentSlots,
    opening: office,
    appointments: office.appointments,
    now: useOfficeMinute(office.timeZone),
  }
  return (
    <section className="ld-section ld-booking" id="book">
      <div className="ld-slip">
        <Counterfoil office={office} appointment={appointment} />
        <div className="ld-slip-form">
          <AppointmentForm
            mode={office.features.appointments}
            offer={offer}
            onSubmitted={(sent) => {
              setAppointment(sent)
              notify('success', text.submitted)
            }}
            onFailed={(reason) => notify('error', text.failed, reason)}
          >
            <PrivacyNotice notice={office.notice} />
          </AppointmentForm>
        </div>
      </div>
    </section>
  )
}
