import { emailAddress } from '@/email-address'
import { fill, messages } from '@/messages'
import { weekdayOf } from './long-day'
import { isOpenAt, openingOn, type OfficeHours } from './opening-on'

/** The raw input, field by field. */
export type AppointmentForm = {
  name: string
  phone: string
  email: string
  service: string
  preferredDate: string
  preferredTime: string
  message: string
}

export type AppointmentField = keyof AppointmentForm
export type AppointmentErrors = Partial<Record<AppointmentField, string>>

/** What the office offers now; `today` is the office's calendar day. */
export type Offer = {
  services: readonly string[]
  /** The names of services in the language of the page, by their own. */
  names?: ReadonlyMap<string, string>
  slots: readonly string[]
  hours: readonly OfficeHours[]
  today: string
}

/** The fields in the order of the page: focus goes to the first invalid one. */
export const appointmentFields: readonly AppointmentField[] = [
  'name',
  'phone',
  'email',
  'service',
  'preferredDate',
  'preferredTime',
  'message',
]

const tenAsciiDigits = /^[0-9]{10}$/
const text = messages.appointments.form.errors

type Rule = (value: string, offer: Offer, form: AppointmentForm) => string | undefined

const rules: Record<AppointmentField, Rule> = {
  name: (value) => (value.trim() === '' ? text.nameRequired : undefined),
  phone: (value) => {
    if (value === '') return text.phoneRequired
    return tenAsciiDigits.test(value) ? undefined : text.phoneInvalid
  },
  email: (value) => {
    if (value === '') return text.emailRequired
    return emailAddress.test(value) ? undefined : text.emailInvalid
  },
  service: (value, { services }) => (services.includes(value) ? undefined : text.serviceRequired),
  preferredDate: (value, { today, hours }) => {
    if (value === '') return text.dateRequired
    return value < today ? text.datePast : closedDay(hours, value)
  },
  preferredTime: (value, { slots, hours }, { preferredDate: day }) => {
    if (!slots.includes(value)) return text.timeRequired
    if (day === '' || closedDay(hours, day)) return undefined
    return isOpenAt(openingOn(hours, day), value)
      ? undefined
      : fill(messages.opening.closedHours, { day: weekdayOf(day) })
  },
  message: () => undefined,
}

/** The sentence for a day on which the office is closed. */
export const closedDay = (hours: readonly OfficeHours[], day: string) =>
  openingOn(hours, day) ? undefined : fill(messages.opening.closedDay, { day: weekdayOf(day) })

/** Returns the error of every invalid field; empty when the form is valid. */
export function appointmentErrors(form: AppointmentForm, offer: Offer): AppointmentErrors {
  const errors: AppointmentErrors = {}
  for (const field of appointmentFields) {
    const sentence = rules[field](form[field], offer, form)
    if (sentence !== undefined) errors[field] = sentence
  }
  return errors
}
