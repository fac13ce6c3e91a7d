import { fill, messages } from '@/messages'
import { isOpenAt, openingOn } from '@/opening-on'
import { timeOfDay } from '@/ui/time-of-day'
import { errorProps, FieldError } from './field'
import { weekdayOf } from './long-day'
import { closedTime, type AppointmentErrors, type Offer } from './rules'

type Props = {
  initial: string | undefined
  offer: Offer
  errors: AppointmentErrors
  /** The chosen day, or ''. Times of that day that are past or outside the opening hours cannot be chosen. */
  day: string
}

/** The times on offer as tiles: one radio group, so that the arrow keys move through it. */
export function TimeTiles({ initial, offer, errors, day }: Props) {
  const { slots } = offer
  const opening = day === '' ? [] : openingOn(offer.opening, day)
  const why = (slot: string) => (day === '' ? undefined : closedTime(offer, day, slot))
  return (
    <fieldset className="af-field af-times" role="radiogroup" {...errorProps('preferredTime', errors)}>
      <legend>{messages.appointments.form.preferredTime}</legend>
      <div className="af-tiles">
        {slots.map((slot) => (
          <label key={slot}>
            <input
              type="radio"
              name="preferredTime"
              value={slot}
              defaultChecked={slot === initial}
              disabled={why(slot) !== undefined}
            />
            <span>{slot}</span> <span className="visually-hidden">{why(slot)}</span>
          </label>
        ))}
      </div>
      {slots.some((slot) => opening.length > 0 && !isOpenAt(opening, slot))
        ? opening.map(({ from, to }) => (
            <p key={from} className="af-hint">
              {fill(messages.opening.hours, {
                from: timeOfDay(from),
                to: timeOfDay(to),
                day: weekdayOf(day),
              })}
            </p>
          ))
        : null}
      <FieldError name="preferredTime" errors={errors} />
    </fieldset>
  )
}
