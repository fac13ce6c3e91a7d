import { useState } from 'react'
import { messages } from '@/messages'
import { controlId, errorProps, Field } from './field'
import { longDay } from './long-day'
import type { AppointmentErrors } from './rules'

/** A native date field shows the browser's format; the day in the office's format is below it. */
export function PreferredDate({ today, errors }: { today: string; errors: AppointmentErrors }) {
  const [day, setDay] = useState('')
  return (
    <Field name="preferredDate" label={messages.appointments.form.preferredDate} errors={errors}>
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
