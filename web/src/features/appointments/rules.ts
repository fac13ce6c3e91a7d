import type { Office } from '@/api/office'
import { emailAddress } from '@/email-address'
import { fill, messages } from '@/messages'
import { namedDaySentences } from '@/named-days'
import { isOpenAt, namedDay, openingOn, type OpeningTimes } from '@/opening-on'
import { longDay, weekdayOf } from './long-day'

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

/** What the office offers; `now` is the office's calendar day and time of day (HH:MM). */
export type Offer = {
  services: readonly string[]
  /** The names of services in the language of the page, keyed by the services' own names. */
  names?: ReadonlyMap<string, string>
  slots: readonly string[]
  opening: OpeningTimes
  /** How far ahead appointments can be requested, and how long before their time; a document may lack it. */
  appointments?: Office['appointments']
  now: { today: string; time: string }
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
  preferredDate: (value, offer) => {
    if (value === '') return text.dateRequired
    if (!isTooFar(offer, value) && value < offer.now.today) return text.datePast
    return unavailableDay(offer, value)
  },
  preferredTime: (value, offer, { preferredDate: day }) => {
    if (!offer.slots.includes(value)) return text.timeRequired
    return day === '' || closedDay(offer.opening, day) ? undefined : closedSentence(offer, day, value)
  },
  message: () => undefined,
}

const usual = { daysAhead: 365, leadMinutes: 0 }

const limitsOf = ({ appointments }: Offer) => appointments ?? usual

/** The last day on which an appointment can be asked for. */
export const lastDay = (offer: Offer) =>
  new Date(Date.parse(offer.now.today) + limitsOf(offer).daysAhead * 86_400_000).toISOString().slice(0, 10)

/** Whether it is too late to ask for a time: until then the office wants some minutes. */
function isTooLate(offer: Offer, day: string, time: string): boolean {
  const { now } = offer
  const least = Date.parse(`${now.today}T${now.time}Z`) + limitsOf(offer).leadMinutes * 60_000
  return day >= now.today && `${day}T${time}` <= new Date(least).toISOString().slice(0, 16)
}

// Days are compared as text, which fails for a year of five digits, so the length is checked.
const isTooFar = (offer: Offer, day: string) => day.length > 10 || day > lastDay(offer)

const farDay = (offer: Offer) => fill(text.dateFar, { day: longDay(lastDay(offer)) })

/** Why a time cannot be chosen: it is over, the office is closed then, or its places are taken. */
export type Closed = 'past' | 'closed' | 'full'

/** Why a time of a day cannot be chosen by the office's clock and hours; undefined when it can. */
export function closedTime(offer: Offer, day: string, time: string): 'past' | 'closed' | undefined {
  if (isTooLate(offer, day, time)) return 'past'
  return isOpenAt(openingOn(offer.opening, day), time) ? undefined : 'closed'
}

function closedSentence(offer: Offer, day: string, time: string): string | undefined {
  const closed = closedTime(offer, day, time)
  if (closed === 'past') return text.timePast
  return closed && fill(messages.opening.closedHours, { day: weekdayOf(day) })
}

/** The sentence for a day that is too far ahead, or on which the office is closed; undefined otherwise. */
export const unavailableDay = (offer: Offer, day: string) =>
  isTooFar(offer, day) ? farDay(offer) : closedDay(offer.opening, day)

/** The sentence for a day on which the office is closed, with the name of a holiday; undefined if it is open. */
function closedDay(times: OpeningTimes, day: string): string | undefined {
  if (openingOn(times, day).length > 0) return undefined
  return namedDay(times, day)
    ? namedDaySentences(times, day)[0]
    : fill(messages.opening.closedDay, { day: weekdayOf(day) })
}

export function appointmentErrors(form: AppointmentForm, offer: Offer): AppointmentErrors {
  const errors: AppointmentErrors = {}
  for (const field of appointmentFields) {
    const sentence = rules[field](form[field], offer, form)
    if (sentence !== undefined) errors[field] = sentence
  }
  return errors
}
