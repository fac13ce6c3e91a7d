import { useState } from 'react'
import { messages } from '@/messages'
import { controlId, errorProps, Field } from './field'
import { longDay } from './long-day'
import type { AppointmentErrors } from './rules'

/** A native date field writes the day in the browser's order; below it stands the day as the office says it. */
export function PreferredDate({ today, errors }: { today: string; errors: AppointmentErrors }) {
  const [day, setDay] = useState('')
  return (
    <Field name="preferredDate" label={messages.appointment.preferredDate} errors={errors}>
      <input
        id={controlId('preferredDate')}
        name="preferredDate"
        type="date"
        min={today}
        onChange={(event) => setDay(event.target.value)}
        {...errorProps('preferredDate', errors)}
      />
      {day === '' ? null : <p className="af-hint">{longDay(day)}</p>}
    </Field>
  )
}
