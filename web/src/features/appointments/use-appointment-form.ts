import { useCallback, useRef, useState, type SyntheticEvent } from 'react'
import { typedAddress } from '@/email-address'
import { useCarriedInput } from '@/language'
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
  onSubmitted: (appointment: Appointment) => void
  onFailed: (reason: string | undefined) => void
}

/**
 * Validates and sends the form. Its controls are uncontrolled, so the input stays until the office accepts it. After
 * each accepted request the form is rendered again with empty controls.
 */
export function useAppointmentForm({ mode, offer, onSubmitted, onFailed }: AppointmentFormOptions) {
  const [errors, setErrors] = useState<AppointmentErrors>({})
  const [busy, setBusy] = useState(false)
  const [round, setRound] = useState(0)
  const ref = useRef<HTMLFormElement>(null)
  const carried = useCarriedInput(
    'appointment',
    useCallback(() => (ref.current ? valuesOf(ref.current) : {}), []),
  )

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
    const outcome = await requestAppointment(values, mode)
    setBusy(false)
    if (outcome.ok) {
      setRound(round + 1)
      onSubmitted(outcome.appointment)
    } else {
      show(form, outcome.rejection.fields)
      onFailed(outcome.rejection.reason)
    }
  }

  /** While the user types, an error disappears as soon as the value is valid, but no new error appears. */
  function recheck(event: SyntheticEvent<HTMLFormElement>) {
    const found = appointmentErrors(valuesOf(event.currentTarget), offer)
    setErrors((shown) =>
      Object.fromEntries(Object.entries(found).filter(([field]) => shown[field as AppointmentField])),
    )
  }

  const initial: Partial<AppointmentForm> = round === 0 ? carried : {}
  return { ref, initial, errors, busy, round, submit, recheck }
}

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
  const target = control instanceof RadioNodeList ? control[0] : control
  if (target instanceof HTMLElement) target.focus()
}
