import { Suspense, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Office } from '@/api/office'
import { chunk } from '@/chunk'
import { AppointmentForm } from '@/features/appointments/appointment-form'
import { controlId } from '@/features/appointments/field'
import type { Appointment } from '@/features/appointments/request-appointment'
import { useOfficeMinute } from '@/features/office/use-office-minute'
import { locale, messages } from '@/messages'
import { serviceNameIn } from '@/ui/office-words'
import { Counterfoil } from './counterfoil'
import { PrivacyNotice } from './privacy-notice'
import type { ShowToast } from './use-toasts'
import './booking.css'

const text = messages.appointments.form

const loadSent = () => import('./request-sent')
const RequestSent = chunk(async () => (await loadSent()).RequestSent)

/** Loads what follows an accepted request. If this fails, it is loaded again when it is shown. */
const loadAhead = () => {
  loadSent().catch(() => undefined)
}

/** The appointment form, drawn as a paper slip. An accepted request takes its place. */
export function Booking({ office, notify }: { office: Office; notify: ShowToast }) {
  const [appointment, setAppointment] = useState<Appointment>()
  const names = new Map(
    office.services.map(({ name, texts }) => [name, serviceNameIn(locale, name, texts)] as const),
  )
  const offer = {
    services: office.services.map((service) => service.name),
    names,
    slots: office.appointmentSlots,
    opening: office,
    appointments: office.appointments,
    now: useOfficeMinute(office.timeZone),
  }

  function another() {
    flushSync(() => setAppointment(undefined))
    document.getElementById(controlId('name'))?.focus()
  }

  return (
    <section className="ld-section ld-booking" id="book">
      <div className="ld-slip">
        <Counterfoil office={office} />
        <div className="ld-slip-form" onFocus={loadAhead}>
          {appointment ? (
            <Suspense>
              <RequestSent
                appointment={appointment}
                service={names.get(appointment.service) ?? appointment.service}
                onAnother={another}
              />
            </Suspense>
          ) : (
            <AppointmentForm
              mode={office.features.appointments}
              texts={office.messages === 'on'}
              offer={offer}
              onSubmitted={(sent) => {
                setAppointment(sent)
                notify('success', text.submitted)
              }}
              onFailed={(reason) => notify('error', text.failed, reason)}
            >
              <PrivacyNotice notice={office.notice} />
            </AppointmentForm>
          )}
        </div>
      </div>
    </section>
  )
}
