import { useEffect, useRef } from 'react'
import type { Office } from '@/api/office'
import { longDay } from '@/features/appointments/long-day'
import type { Appointment } from '@/features/appointments/request-appointment'
import { messages } from '@/messages'
import { timeOfDay } from '@/ui/time-of-day'
import { telephone } from './telephone'

const text = messages.landing.booking

/** The visitor's part of the slip: the office's contact data, or the request once it was sent. */
export function Counterfoil({
  office,
  appointment,
}: {
  office: Office
  appointment: Appointment | undefined
}) {
  const self = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (appointment) self.current?.focus()
  }, [appointment])

  return (
    <div className="ld-counterfoil" ref={self} tabIndex={-1}>
      <h2>{text.title}</h2>
      <p>{appointment ? text.sent : text.lead}</p>
      {appointment ? <Request appointment={appointment} /> : <Contact office={office} />}
    </div>
  )
}

function Contact({ office }: { office: Office }) {
  return (
    <dl>
      <div>
        <dt>{text.phone}</dt>
        <dd>
          <a href={telephone(office.phone)}>{office.phone}</a>
        </dd>
      </div>
      <div>
        <dt>{text.email}</dt>
        <dd>
          <a href={`mailto:${office.email}`}>{office.email}</a>
        </dd>
      </div>
      <div>
        <dt>{text.area}</dt>
        <dd>{office.area}</dd>
      </div>
    </dl>
  )
}

function Request({ appointment }: { appointment: Appointment }) {
  return (
    <dl>
      <div>
        <dt>{text.service}</dt>
        <dd>{appointment.service}</dd>
      </div>
      <div>
        <dt>{text.day}</dt>
        <dd>{longDay(appointment.preferredDate)}</dd>
      </div>
      <div>
        <dt>{text.time}</dt>
        <dd>{timeOfDay(appointment.preferredTime)}</dd>
      </div>
    </dl>
  )
}
