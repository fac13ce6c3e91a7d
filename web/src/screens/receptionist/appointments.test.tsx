import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { AppointmentDay, StaffAppointment } from '@/api/types'
import { appointmentOf, userOf, visitOf } from '@/test/fixtures'
import { openOffice } from '@/test/office'
import { renderApp } from '@/test/render-app'

const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata' }).format(new Date())

const asha = appointmentOf('a1', {
  name: 'Asha Kulkarni',
  status: 'confirmed',
  preferredDate: today,
  preferredTime: '09:00',
  version: 3,
  consultant: { id: 'c1', name: 'CA Rao' },
})
const ravi = appointmentOf('a2', { name: 'Ravi Iyer', preferredDate: today, preferredTime: '09:00' })

const dayOf = (appointments: StaffAppointment[], more: Partial<AppointmentDay> = {}): AppointmentDay => ({
  date: today,
  open: true,
  name: '',
  spans: [
    { from: '09:00', to: '13:00' },
    { from: '14:00', to: '18:00' },
  ],
  slots: [
    { time: '09:00', capacity: 4, taken: 2, state: 'free' },
    { time: '14:00', capacity: 4, taken: 0, state: 'free' },
  ],
  appointments,
  ...more,
})

const undoOf = (action: 'move' | 'cancel' | 'confirm' | 'no-show' | 'book') => ({
  action,
  until: new Date(Date.now() + 30_000).toISOString(),
})

function openDay(day = dayOf([asha, ravi]), address = '') {
  const office = openOffice({ user: userOf('reception') })
  office.answer('GET /api/appointments/day', () => ({ day }))
  office.answer('GET /api/lobby/channels', () => ({ mail: true, sms: false, whatsapp: false }))
  const slots = [
    { time: '09:00', state: 'full' },
    { time: '14:00', state: 'free' },
  ]
  office.answer('GET /api/appointments/slots', () => ({
    days: [{ date: today, open: true, name: '', slots }],
    nextFree: { date: today, time: '14:00' },
  }))
  office.answer('POST /api/visits', () => ({ visit: visitOf(8, { day: today }) }))
  return { office, ...renderApp(`/dashboard/receptionist?tab=appointments${address}`) }
}

const row = (name: string) => screen.findByRole('listitem', { name })

test('a day shows its slots with what is taken, the break, and each booking with its state', async () => {
  openDay()
  expect(await row('Asha Kulkarni')).toHaveTextContent(
    /GST Registration.*asked for CA Rao.*Confirmed.*Check in/,
  )
  expect(await row('Ravi Iyer')).toHaveTextContent(/Pending.*Confirm and send/)
  expect(screen.getByRole('region', { name: '9:00 AM' })).toHaveTextContent('2 of 4')
  expect(screen.getByText('Closed 1:00 PM to 2:00 PM')).toBeVisible()
})

test('a closed day has its name, and its bookings need a new time', async () => {
  openDay(dayOf([{ ...asha, needsTime: true }], { open: false, name: 'Republic Day', spans: [], slots: [] }))
  expect(await row('Asha Kulkarni')).toHaveTextContent('Needs a new time')
  expect(screen.getByText('Closed: Republic Day')).toBeVisible()
})

test('Enter checks the visitor of the chosen row in, once for each version', async () => {
  const { office, person } = openDay()
  ;(await row('Asha Kulkarni')).focus()
  await person.keyboard('{Enter}')
  expect(await screen.findByRole('article', { name: 'Token T-008' })).toBeVisible()
  const [sent] = office.requests('POST /api/visits')
  expect(sent?.headers.get('Idempotency-Key')).toBe('appointment-a1-3')
  expect(sent?.body).toMatchObject({
    name: 'Asha Kulkarni',
    service_id: 'gst',
    told_by: 'page',
    appointment_id: 'a1',
  })
  expect(office.requests('PUT /api/appointments/a1')).toHaveLength(0)
})

test('a pending visitor who has come is confirmed without a message, and then checked in', async () => {
  const { office, person } = openDay()
  office.answer('PUT /api/appointments/a2', () => ({
    appointment: { ...ravi, status: 'confirmed', version: 2 },
  }))
  ;(await row('Ravi Iyer')).focus()
  await person.keyboard('{Enter}')
  await waitFor(() => expect(office.requests('POST /api/visits')).toHaveLength(1))
  expect(office.requests('PUT /api/appointments/a2')[0]?.body).toEqual({
    status: 'confirmed',
    tell: false,
    version: 1,
  })
  expect(office.requests('POST /api/visits')[0]?.headers.get('Idempotency-Key')).toBe('appointment-a2-2')
})

test('a service that is not offered any more opens the registration form', async () => {
  const { office, person } = openDay(dayOf([{ ...asha, serviceId: null }]))
  await person.click(await screen.findByRole('button', { name: 'Check in Asha Kulkarni' }))
  expect(screen.getByLabelText('Visitor Name')).toHaveValue('Asha Kulkarni')
  expect(office.requests('POST /api/visits')).toHaveLength(0)
})

test.each([
  { key: 'n', status: 'no-show' },
  { key: '{Delete}', status: 'cancelled' },
])('$key on the chosen row makes it $status, and Ctrl+F9 undoes it', async ({ key, status }) => {
  const { office, person } = openDay()
  const undo = undoOf(status === 'cancelled' ? 'cancel' : 'no-show')
  office.answer('PUT /api/appointments/a1', () => ({ appointment: { ...asha, status, version: 4, undo } }))
  office.answer('POST /api/appointments/a1/undo', () => ({ appointment: { ...asha, version: 5 } }))
  ;(await row('Asha Kulkarni')).focus()
  await person.keyboard(key)
  await screen.findByRole('region', { name: 'Undo' })
  expect(office.requests('PUT /api/appointments/a1')[0]?.body).toEqual({ status, tell: true, version: 3 })
  await person.keyboard('{Control>}{F9}{/Control}')
  expect(await screen.findByText('The change for Asha Kulkarni was undone')).toBeInTheDocument()
  expect(office.requests('POST /api/appointments/a1/undo')).toHaveLength(1)
})

test('PageDown, PageUp and Home choose the day, which is in the address', async () => {
  const { person, router } = openDay()
  ;(await row('Asha Kulkarni')).focus()
  await person.keyboard('{ArrowDown}')
  expect(await row('Ravi Iyer')).toHaveFocus()
  await person.keyboard('{PageDown}')
  await waitFor(() => expect(router.state.location.search).toContain('day='))
  await person.click(screen.getByRole('button', { name: 'Today' }))
  await waitFor(() => expect(router.state.location.search).not.toContain('day='))
})

test('a phone call is booked by keyboard, at the first free time', async () => {
  const { office, person } = openDay(dayOf([]))
  await screen.findByText('No appointments on this day')
  office.answer('POST /api/appointments/book', () => ({ appointment: { ...asha, undo: undoOf('book') } }))
  await person.keyboard('{Shift>}{F4}{/Shift}')
  const dialog = await screen.findByRole('dialog', { name: 'New appointment' })
  await waitFor(() => expect(dialog).toHaveTextContent('2:00 PM'))
  expect(within(dialog).getByLabelText('Phone')).toHaveFocus()
  await person.keyboard('9812345678{Tab}Asha{Tab}GST')
  // jsdom does not choose with Enter; appointments-day.spec.ts does.
  await person.click(await screen.findByTitle('GST Registration'))
  await person.keyboard('{Control>}{Enter}{/Control}')
  await waitFor(() => expect(office.requests('POST /api/appointments/book')).toHaveLength(1))
  const [sent] = office.requests('POST /api/appointments/book')
  expect(sent?.body).toMatchObject({
    name: 'Asha',
    phone: '9812345678',
    service_id: 'gst',
    date: today,
    time: '14:00',
    tell: true,
  })
  expect(sent?.headers.get('Idempotency-Key')).toBeTruthy()
})

test('a time that was taken meanwhile says so, and the dialog stays open', async () => {
  const { office, person } = openDay()
  office.fail('POST /api/appointments/a1/move', 409, {
    error: 'This time is taken. Please choose another one.',
    code: 'slot_full',
    params: { free: '14:00' },
    request_id: 'r',
  })
  ;(await row('Asha Kulkarni')).focus()
  await person.keyboard('m')
  const dialog = await screen.findByRole('dialog', { name: 'Move the appointment of Asha Kulkarni' })
  await waitFor(() => expect(dialog).toHaveTextContent('2:00 PM'))
  expect(dialog).toHaveTextContent('Sends a mail')
  await person.click(within(dialog).getByRole('button', { name: 'Move' }))
  expect(await screen.findByText('This time is taken. Please choose another one.')).toBeInTheDocument()
  expect(dialog).toBeVisible()
})
