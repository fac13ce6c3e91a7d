import { useCallback, useRef, useState, type SyntheticEvent } from 'react'
import { flushSync } from 'react-dom'
import { typedAddress } from '@/email-address'
import { useCarriedInput } from '@/language'
import { useDaySlots, type Slot } from './day-slots'
import { requestAppointment, type Appointment, type AppointmentMode } from './request-appointment'
import {
  appointmentErrors,
  appointmentFields,
  type AppointmentErrors,
  type AppointmentField,
  type AppointmentForm,
  type Offer,
} from './rules'

export type AppointmentFormOptions = {
  mode: AppointmentMode
  offer: Offer
  /** Called with an accepted request. The form is then replaced by what was sent. */
  onSubmitted: (appointment: Appointment) => void
  onFailed: (reason: string | undefined) => void
}

/** Validates and sends the form. Its controls are uncontrolled, so the input stays until the office accepts it. */
export function useAppointmentForm({ mode, offer, onSubmitted, onFailed }: AppointmentFormOptions) {
  const [errors, setErrors] = useState<AppointmentErrors>({})
  const [busy, setBusy] = useState(false)
  const ref = useRef<HTMLFormElement>(null)
  const initial: Partial<AppointmentForm> = useCarriedInput(
    'appointment',
    useCallback(() => (ref.current ? valuesOf(ref.current) : {}), []),
  )

  const [day, setDay] = useState(initial.preferredDate ?? '')
  const { slots, readAgain } = useDaySlots(mode, offer, day)

  function show(form: HTMLFormElement, found: AppointmentErrors) {
    setErrors(found)
    const first = appointmentFields.find((field) => found[field] !== undefined)
    if (first) focus(form, first)
    return first !== undefined
  }

  async function submit(event: SyntheticEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const values = valuesOf(form)
    if (busy || show(form, appointmentErrors(values, offer))) return
    setBusy(true)
    const outcome = await requestAppointment(values, mode, agreesToTexts(form))
    if (!outcome.ok && outcome.rejection.full) await readAgain()
    setBusy(false)
    if (outcome.ok) {
      onSubmitted(outcome.appointment)
    } else {
      show(form, outcome.rejection.fields)
      onFailed(outcome.rejection.reason)
    }
  }

  /** While the user types, an error disappears as soon as the value is valid, but no new error appears. */
  function recheck(form: HTMLFormElement) {
    const found = appointmentErrors(valuesOf(form), offer)
    setErrors((shown) =>
      Object.fromEntries(Object.entries(found).filter(([field]) => shown[field as AppointmentField])),
    )
  }

  /** Chooses the day of a free slot. The focus goes to its time. */
  function chooseDay({ date, time }: Slot) {
    const form = ref.current
    const input = form?.elements.namedItem('preferredDate')
    if (!form || !(input instanceof HTMLInputElement)) return
    input.value = date
    flushSync(() => setDay(date))
    recheck(form)
    form.querySelector<HTMLElement>(`[name="preferredTime"][value="${time}"]`)?.focus()
  }

  return { ref, initial, errors, busy, submit, recheck, choice: { day, setDay, slots, chooseDay } }
}

const agreesToTexts = (form: HTMLFormElement) => new FormData(form).has('messages')

function valuesOf(form: HTMLFormElement): AppointmentForm {
  const data = new FormData(form)
  const values = appointmentFields.map((field) => {
    const value = data.get(field)
    return [field, typeof value === 'string' ? value : '']
  })
  const typed = Object.fromEntries(values) as AppointmentForm
  return { ...typed, email: typedAddress(typed.email) }
}

function focus(form: HTMLFormElement, field: AppointmentField) {
  const control = form.elements.namedItem(field)
  const radios = control instanceof RadioNodeList ? [...control] : []
  const target = radios.find((radio) => radio instanceof HTMLInputElement && !radio.disabled) ?? control
  if (target instanceof HTMLElement) target.focus()
}
