import { useState } from 'react'
import { messages } from '@/messages'
import { controlId, errorProps, Field } from './field'
import { longDay } from './long-day'
import type { AppointmentErrors } from './rules'

type Props = { initial: string; today: string; errors: AppointmentErrors }

/** A native date field shows the browser's format; the day in the office's format is below it. */
export function PreferredDate({ initial, today, errors }: Props) {
  const [day, setDay] = useState(initial)
  return (
    <Field name="preferredDate" label={messages.appointments.form.preferredDate} errors={errors}>
      <input
        id={controlId('preferredDate')}
        name="preferredDate"
        type="date"
        min={today}
        defaultValue={initial}
        onChange={(event) => setDay(event.target.value)}
        {...errorProps('preferredDate', errors)}
      />
      {day === '' ? null : <p className="af-hint">{longDay(day)}</p>}
    </Field>
  )
}
