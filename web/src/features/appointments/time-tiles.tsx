import { messages } from '@/messages'
import { errorProps, FieldError } from './field'
import type { AppointmentErrors } from './rules'

type Props = { initial: string | undefined; slots: readonly string[]; errors: AppointmentErrors }

/** The times on offer as tiles: one radio group, so that the arrow keys move through it. */
export function TimeTiles({ initial, slots, errors }: Props) {
  return (
    <fieldset className="af-field af-times" role="radiogroup" {...errorProps('preferredTime', errors)}>
      <legend>{messages.appointments.form.preferredTime}</legend>
      <div className="af-tiles">
        {slots.map((slot) => (
          <label key={slot}>
            <input type="radio" name="preferredTime" value={slot} defaultChecked={slot === initial} />
            <span>{slot}</span>
          </label>
        ))}
      </div>
      <FieldError name="preferredTime" errors={errors} />
    </fieldset>
  )
}
