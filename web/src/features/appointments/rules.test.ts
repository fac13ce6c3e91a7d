import { expect, test } from 'vitest'
import { appointmentErrors, type AppointmentForm } from './rules'

const hours = [
  { days: 'Monday-Friday', open: '9 AM', close: '7 PM' },
  { days: 'Saturday', open: '9 AM', close: '5 PM' },
  { days: 'Sunday', open: null, close: null },
]

const offer = {
  opening: { hours },
  services: ['ITR Filing', 'GST Registration'],
  slots: ['09:00', '10:00', '11:00', '12:00', '14:00', '15:00', '16:00', '17:00'],
  now: { today: '2026-11-20', time: '08:00' },
}

const complete: AppointmentForm = {
  name: 'Asha Rao',
  phone: '9876543210',
  email: 'asha@example.in',
  service: 'ITR Filing',
  preferredDate: '2026-11-23',
  preferredTime: '11:00',
  message: 'Two Form 16s this year.',
}

const errorsOf = (change: Partial<AppointmentForm>) => appointmentErrors({ ...complete, ...change }, offer)

test('a complete request has no errors', () => {
  expect(errorsOf({})).toEqual({})
})

// S5.appt.01
test('a name is required, and blanks are not a name', () => {
  expect(errorsOf({ name: '' })).toEqual({ name: 'Name is required' })
  expect(errorsOf({ name: '   ' })).toEqual({ name: 'Name is required' })
})

// S5.appt.02
test('a phone number is required', () => {
  expect(errorsOf({ phone: '' })).toEqual({ phone: 'Phone number is required' })
})

// S5.appt.03
test.each(['987654321', '98765432101', '98765abcde', '98765 43210', '+919876543210', '९८७६५४३२१०'])(
  'the phone number %j is not 10 digits',
  (phone) => {
    expect(errorsOf({ phone })).toEqual({ phone: 'Please enter a valid 10-digit phone number' })
  },
)

// S5.appt.04
test('an email address is required', () => {
  expect(errorsOf({ email: '' })).toEqual({ email: 'Email is required' })
})

// S5.appt.05
test.each(['asha', 'asha@', '@example.in', 'asha@example', 'asha rao@example.in', 'asha@exa..mple.in'])(
  '%j is not an email address',
  (email) => {
    expect(errorsOf({ email })).toEqual({ email: 'Please enter a valid email address' })
  },
)

// S5.appt.05
test.each(['ASHA@EXAMPLE.IN', "o'brien+tax@mail.example.co.in"])('%j is an email address', (email) => {
  expect(errorsOf({ email })).toEqual({})
})

// S5.appt.06
test('a service is required, and the office must offer it', () => {
  expect(errorsOf({ service: '' })).toEqual({ service: 'Service is required' })
  expect(errorsOf({ service: 'Palmistry' })).toEqual({ service: 'Service is required' })
})

// S5.appt.07
test('a preferred date is required', () => {
  expect(errorsOf({ preferredDate: '' })).toEqual({ preferredDate: 'Preferred date is required' })
})

// S5.appt.08
test('yesterday is rejected, today is accepted', () => {
  expect(errorsOf({ preferredDate: '2026-11-19' })).toEqual({
    preferredDate: 'Preferred date cannot be in the past',
  })
  expect(errorsOf({ preferredDate: '2026-11-20' })).toEqual({})
})

// S5.appt.09-10
test('a preferred time is required, and it must be one of the slots', () => {
  expect(errorsOf({ preferredTime: '' })).toEqual({ preferredTime: 'Preferred time is required' })
  expect(errorsOf({ preferredTime: '13:00' })).toEqual({ preferredTime: 'Preferred time is required' })
})

// S5.appt.11
test('the message is optional', () => {
  expect(errorsOf({ message: '' })).toEqual({})
})

test('a day on which the office is closed cannot be asked for, and the error names it', () => {
  expect(errorsOf({ preferredDate: '2026-11-22' })).toEqual({
    preferredDate: 'The office is closed on Sunday. Please choose another day.',
  })
})

test('the error of a holiday has its name, and a time in a break cannot be asked for', () => {
  const opening = {
    hours: [{ days: 'Monday-Friday', open: '9 AM', close: '7 PM', breaks: [{ from: '1 PM', to: '3 PM' }] }],
    yearly: [{ month: 12, day: 25, name: 'Christmas' }],
  }
  const errors = (preferredDate: string, preferredTime: string) =>
    appointmentErrors({ ...complete, preferredDate, preferredTime }, { ...offer, opening })
  expect(errors('2026-12-25', '11:00')).toEqual({ preferredDate: 'Closed on 25 December: Christmas' })
  expect(errors('2026-12-24', '14:00')).toEqual({
    preferredTime: 'The office is closed at this time on Thursday. Please choose another time.',
  })
  expect(errors('2026-12-24', '15:00')).toEqual({})
})

test('a time after the office has closed cannot be asked for on that day', () => {
  expect(errorsOf({ preferredDate: '2026-11-21', preferredTime: '17:00' })).toEqual({
    preferredTime: 'The office is closed at this time on Saturday. Please choose another time.',
  })
  expect(errorsOf({ preferredDate: '2026-11-21', preferredTime: '16:00' })).toEqual({})
  expect(errorsOf({ preferredDate: '2026-11-23', preferredTime: '17:00' })).toEqual({})
})

test('a time that is over today cannot be asked for, a later one and the same one tomorrow can', () => {
  const now = { today: '2026-11-20', time: '13:07' }
  const today = (preferredTime: string) =>
    appointmentErrors({ ...complete, preferredDate: '2026-11-20', preferredTime }, { ...offer, now })
  expect(today('09:00')).toEqual({
    preferredTime: 'This time has passed. Please choose a later one.',
  })
  expect(today('14:00')).toEqual({})
  expect(errorsOf({ preferredDate: '2026-11-23', preferredTime: '09:00' })).toEqual({})
})

test('the time that begins this minute is over', () => {
  const now = { today: '2026-11-20', time: '14:00' }
  const form = { ...complete, preferredDate: '2026-11-20', preferredTime: '14:00' }
  expect(Object.keys(appointmentErrors(form, { ...offer, now }))).toEqual(['preferredTime'])
})

test('appointments can be asked for 365 days ahead', () => {
  const far = { preferredDate: 'Appointments can be requested until Saturday, 20 Nov 2027.' }
  expect(errorsOf({ preferredDate: '2027-11-20' })).toEqual({})
  expect(errorsOf({ preferredDate: '2027-11-22' })).toEqual(far)
  expect(errorsOf({ preferredDate: '9999-12-30' })).toEqual(far)
  expect(errorsOf({ preferredDate: '12027-11-22' })).toEqual(far)
})

test('the office sets how many days ahead and how many minutes before its time an appointment can be asked for', () => {
  const own = {
    ...offer,
    appointments: { daysAhead: 10, leadMinutes: 120 },
    now: { today: '2026-11-20', time: '15:30' },
  }
  const errors = (preferredDate: string, preferredTime = '11:00') =>
    appointmentErrors({ ...complete, preferredDate, preferredTime }, own)
  expect(errors('2026-11-30')).toEqual({})
  expect(errors('2026-12-01')).toEqual({
    preferredDate: 'Appointments can be requested until Monday, 30 Nov 2026.',
  })
  expect(Object.keys(errors('2026-11-20', '17:00'))).toEqual(['preferredTime'])
  const late = { ...own, appointments: { daysAhead: 10, leadMinutes: 1_440 } }
  const tomorrow = (preferredTime: string) =>
    Object.keys(appointmentErrors({ ...complete, preferredDate: '2026-11-21', preferredTime }, late))
  expect(tomorrow('15:00')).toEqual(['preferredTime'])
  expect(tomorrow('16:00')).toEqual([])
})
