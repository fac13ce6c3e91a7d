import { useEffect, useRef } from 'react'
import { longDay } from '@/features/appointments/long-day'
import type { Appointment } from '@/features/appointments/request-appointment'
import { messages } from '@/messages'
import { timeOfDay } from '@/ui/time-of-day'
import './request-sent.css'

const text = messages.booking

type Props = {
  appointment: Appointment
  /** The name of the service in the language of the page. */
  service: string
  onAnother: () => void
}

/** A request that the office has received, in the place of the form. */
export function RequestSent({ appointment: { preferredDate, preferredTime }, service, onAnother }: Props) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  return (
    <div className="ld-sent">
      <svg width="40" height="40" viewBox="0 0 16 16" fill="none" stroke="currentColor" aria-hidden="true">
        <path strokeWidth="1.7" d="M2.5 8.5l3.5 3.5 7.5-8" />
      </svg>
      <h3 ref={title} tabIndex={-1}>
        {text.sentTitle}
      </h3>
      <p>{text.sentNext}</p>
      <dl>
        <div>
          <dt>{text.service}</dt>
          <dd>{service}</dd>
        </div>
        <div>
          <dt>{text.day}</dt>
          <dd>{longDay(preferredDate)}</dd>
        </div>
        <div>
          <dt>{text.time}</dt>
          <dd>{timeOfDay(preferredTime)}</dd>
        </div>
      </dl>
      <button type="button" onClick={onAnother}>
        {text.another}
      </button>
    </div>
  )
}
