import { messages } from '@/messages'
import { controlId, errorProps, Field } from './field'
import { longDay } from './long-day'
import { lastDay, unavailableDay, type AppointmentErrors, type Offer } from './rules'

type Props = {
  initial: string
  offer: Offer
  errors: AppointmentErrors
  /** The chosen day, '' for none. */
  day: string
  onDay: (day: string) => void
}

/**
 * A native date field, which shows the browser's format. Below it are the day in the office's format and, if the
 * office is closed on the day or the day is too far ahead, a sentence that says so.
 */
export function PreferredDate({ initial, offer, errors, day, onDay }: Props) {
  const closed = day >= offer.now.today ? unavailableDay(offer, day) : undefined
  return (
    <Field name="preferredDate" label={messages.appointments.form.preferredDate} errors={errors}>
      <input
        id={controlId('preferredDate')}
        name="preferredDate"
        type="date"
        min={offer.now.today}
        max={lastDay(offer)}
        defaultValue={initial}
        onChange={(event) => onDay(event.target.value)}
        {...errorProps('preferredDate', errors)}
      />
      {day === '' ? null : <p className="af-hint">{longDay(day)}</p>}
      <p className="af-hint" aria-live="polite">
        {errors.preferredDate ? null : closed}
      </p>
    </Field>
  )
}
