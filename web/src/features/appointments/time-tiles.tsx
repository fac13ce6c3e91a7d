import { useLayoutEffect, useRef } from 'react'
import { fill, messages } from '@/messages'
import { isOpenAt, openingOn } from '@/opening-on'
import { timeOfDay } from '@/ui/time-of-day'
import type { DaySlots, Slot } from './day-slots'
import { errorProps, FieldError } from './field'
import { longDay, weekdayOf } from './long-day'
import { closedTime, type AppointmentErrors, type Closed, type Offer } from './rules'

const text = messages.booking

type Props = {
  initial: string | undefined
  offer: Offer
  errors: AppointmentErrors
  /** The chosen day, or ''. Times of that day that are past, full or outside the opening hours cannot be chosen. */
  day: string
  /** The slots of the day, if they are known. */
  slots: DaySlots | undefined
  onNext: (next: Slot) => void
}

/** The times on offer as tiles: one radio group, so that the arrow keys move through it. */
export function TimeTiles({ initial, offer, errors, day, slots, onNext }: Props) {
  const opening = day === '' ? [] : openingOn(offer.opening, day)
  return (
    <fieldset className="af-field af-times" role="radiogroup" {...errorProps('preferredTime', errors)}>
      <legend>{messages.appointments.form.preferredTime}</legend>
      <div className="af-tiles">
        {offer.slots.map((slot) => (
          <Tile
            key={slot}
            slot={slot}
            chosen={slot === initial}
            closed={whyClosed(offer, day, slot, slots)}
          />
        ))}
      </div>
      {offer.slots.some((slot) => opening.length > 0 && !isOpenAt(opening, slot))
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
      <div className="af-hint" aria-live="polite">
        {slots && isFull(slots) ? <FullDay day={day} next={slots.nextFree} onNext={onNext} /> : null}
      </div>
      <FieldError name="preferredTime" errors={errors} />
    </fieldset>
  )
}

function whyClosed(offer: Offer, day: string, slot: string, slots: DaySlots | undefined) {
  const state = slots?.states.get(slot)
  if (state === 'closed' || state === 'past' || state === 'full') return state
  return day === '' ? undefined : closedTime(offer, day, slot)
}

const isFull = ({ open, states }: DaySlots) => open && ![...states.values()].includes('free')

/** A time that is taken while it is chosen is chosen no longer: a form does not send what is disabled. */
function Tile({ slot, chosen, closed }: { slot: string; chosen: boolean; closed: Closed | undefined }) {
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    if (closed && input.current) input.current.checked = false
  }, [closed])
  return (
    <label>
      <input
        ref={input}
        type="radio"
        name="preferredTime"
        value={slot}
        defaultChecked={chosen}
        disabled={closed !== undefined}
      />
      <span>{slot}</span> {closed ? <span className="visually-hidden">{text[closed]}</span> : null}
    </label>
  )
}

type FullProps = { day: string; next: Slot | null; onNext: (next: Slot) => void }

/** Says that a day has no free time. The next free time is a button in the sentence. */
function FullDay({ day, next, onNext }: FullProps) {
  if (!next) return <p>{text.dayNone}</p>
  const [before, after] = fill(text.dayFull, { day: longDay(day), next: '\n' }).split('\n')
  return (
    <p>
      {before}
      <button type="button" onClick={() => onNext(next)}>
        {`${longDay(next.date)}, ${timeOfDay(next.time)}`}
      </button>
      {after}
    </p>
  )
}
