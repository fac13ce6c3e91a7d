import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { expect, test, vi } from 'vitest'
import { server } from '@/test/server'
import { AppointmentForm } from './appointment-form'
import { eventually } from '@/test/eventually'

const hours = [
  { days: 'Monday-Friday', open: '9 AM', close: '7 PM' },
  { days: 'Saturday', open: '9 AM', close: '5 PM' },
  { days: 'Sunday', open: null, close: null },
]
const offer = {
  services: ['ITR Filing', 'GST Registration'],
  slots: ['09:00', '10:00'],
  opening: { hours },
  now: { today: '2026-11-20', time: '09:30' },
}

function show(mode: 'live' | 'simulated' = 'live') {
  const onSubmitted = vi.fn()
  const onFailed = vi.fn()
  render(<AppointmentForm mode={mode} offer={offer} onSubmitted={onSubmitted} onFailed={onFailed} />)
  return { onSubmitted, onFailed, user: userEvent.setup() }
}

const field = {
  name: () => screen.getByLabelText('Name'),
  phone: () => screen.getByLabelText('Phone'),
  email: () => screen.getByLabelText('Email'),
  service: () => screen.getByLabelText('Service'),
  date: () => screen.getByLabelText('Preferred Date'),
  times: () => screen.getByRole('radiogroup', { name: 'Preferred Time' }),
  message: () => screen.getByLabelText('Message (optional)'),
  submit: () => screen.getByRole('button', { name: 'Request Appointment' }),
}

async function fillIn(user: ReturnType<typeof userEvent.setup>, time = '10:00') {
  await user.type(field.name(), 'Asha Rao')
  await user.type(field.phone(), '9876543210')
  await user.type(field.email(), 'asha@example.in')
  await user.selectOptions(field.service(), 'GST Registration')
  await user.type(field.date(), '2026-11-23')
  if (time !== '') await user.click(screen.getByRole('radio', { name: time }))
}

const accept = () =>
  http.post('/api/appointments', async ({ request }) => {
    const body = (await request.json()) as object
    const appointment = {
      message: '',
      ...body,
      id: 'a1',
      status: 'pending',
      createdAt: '2026-11-20T06:00:00Z',
    }
    return HttpResponse.json({ appointment }, { status: 201 })
  })

// S2.appt.01-07
test('the form has its fields and offers the services and the slots in order', () => {
  show()
  for (const control of Object.values(field)) expect(control()).toBeVisible()
  expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual([
    'Choose a service',
    'ITR Filing',
    'GST Registration',
  ])
  expect(screen.getAllByRole('radio').map((radio) => (radio as HTMLInputElement).value)).toEqual(offer.slots)
})

test('an empty form is not sent: each field shows its error, and the first gets the focus', async () => {
  const { user, onFailed, onSubmitted } = show()
  await user.click(field.submit())

  expect(field.name()).toHaveFocus()
  expect(field.name()).toHaveAccessibleDescription('Name is required')
  expect(field.phone()).toHaveAccessibleDescription('Phone number is required')
  expect(field.email()).toHaveAccessibleDescription('Email is required')
  expect(field.service()).toHaveAccessibleDescription('Service is required')
  expect(field.date()).toHaveAccessibleDescription('Preferred date is required')
  expect(field.times()).toHaveAccessibleDescription('Preferred time is required')
  expect(field.message()).not.toHaveAttribute('aria-invalid')
  expect(onFailed).not.toHaveBeenCalled()
  expect(onSubmitted).not.toHaveBeenCalled()
})

test('an error follows the input and disappears with its cause', async () => {
  const { user } = show()
  await user.click(field.submit())
  await user.type(field.phone(), '98765')
  expect(field.phone()).toHaveAccessibleDescription('Please enter a valid 10-digit phone number')
  await user.type(field.phone(), '43210')
  expect(field.phone()).not.toHaveAttribute('aria-invalid')
  expect(field.name()).toHaveAttribute('aria-invalid', 'true')
})

test('if only the time is missing, the first tile gets the focus', async () => {
  const { user } = show()
  await fillIn(user, '')
  await user.click(field.submit())
  expect(screen.getByRole('radio', { name: '09:00' })).toHaveFocus()
})

// S2.appt.10
test('an accepted request empties the form', async () => {
  server.use(accept())
  const { user, onSubmitted } = show()
  await fillIn(user)
  expect(screen.getByText('Monday, 23 Nov 2026')).toBeVisible()
  await user.click(field.submit())

  await eventually(() => expect(onSubmitted).toHaveBeenCalledOnce())
  expect(onSubmitted).toHaveBeenCalledWith(
    expect.objectContaining({
      name: 'Asha Rao',
      phone: '9876543210',
      email: 'asha@example.in',
      service: 'GST Registration',
      preferredDate: '2026-11-23',
      preferredTime: '10:00',
    }),
  )
  await eventually(() => expect(field.name()).toHaveValue(''))
  expect(field.service()).toHaveValue('')
  expect(screen.getByRole('radio', { name: '10:00' })).not.toBeChecked()
  expect(screen.queryByText('Monday, 23 Nov 2026')).not.toBeInTheDocument()
  expect(field.submit()).toHaveFocus()
})

// S2.appt.12
test('a simulated request is validated and confirmed like a live one', async () => {
  const { user, onSubmitted } = show('simulated')
  await user.click(field.submit())
  expect(field.name()).toHaveAccessibleDescription('Name is required')
  await fillIn(user)
  await user.click(field.submit())
  await eventually(() => expect(onSubmitted).toHaveBeenCalledOnce())
  await eventually(() => expect(field.name()).toHaveValue(''))
})

test('a failure keeps the input and shows the reason', async () => {
  server.use(
    http.post('/api/appointments', () =>
      HttpResponse.json({ error: 'Too many requests. Please try again later.' }, { status: 429 }),
    ),
  )
  const { user, onFailed } = show()
  await fillIn(user)
  await user.type(field.message(), 'Two Form 16s')
  await user.click(field.submit())

  await eventually(() => expect(onFailed).toHaveBeenCalledWith('Too many requests. Please try again later.'))
  expect(field.name()).toHaveValue('Asha Rao')
  expect(field.phone()).toHaveValue('9876543210')
  expect(field.email()).toHaveValue('asha@example.in')
  expect(field.service()).toHaveValue('GST Registration')
  expect(field.date()).toHaveValue('2026-11-23')
  expect(screen.getByRole('radio', { name: '10:00' })).toBeChecked()
  expect(field.message()).toHaveValue('Two Form 16s')
})

test("the server's sentence for a field is shown under that field", async () => {
  const fields = { name: 'Please shorten the name to 100 characters' }
  server.use(
    http.post('/api/appointments', () => HttpResponse.json({ error: fields.name, fields }, { status: 400 })),
  )
  const { user } = show()
  await fillIn(user)
  await user.click(field.submit())
  await eventually(() => expect(field.name()).toHaveAccessibleDescription(fields.name))
  expect(field.name()).toHaveFocus()
})

test('a second click while a request is in flight sends nothing', async () => {
  let calls = 0
  let answer = () => undefined as unknown
  const held = new Promise((resolve) => (answer = () => resolve(undefined)))
  server.use(
    http.post('/api/appointments', async () => {
      calls += 1
      await held
      return new HttpResponse(null, { status: 503 })
    }),
  )
  const { user, onFailed } = show()
  await fillIn(user)
  await user.click(field.submit())
  await user.click(screen.getByRole('button', { name: 'Sending...' }))
  answer()
  await eventually(() => expect(onFailed).toHaveBeenCalledOnce())
  expect(calls).toBe(1)
  expect(field.submit()).toBeVisible()
})

test.each(['+91 98450 33333', '098450-33333'])('the phone %s becomes ten digits at once', async (written) => {
  const { user } = show()
  await user.type(field.phone(), written)
  expect(field.phone()).toHaveValue('9845033333')
})

test('times that are over today cannot be chosen, and say why', async () => {
  const { user } = show()
  await user.type(screen.getByLabelText('Preferred Date'), '2026-11-20')
  expect(screen.getByRole('radio', { name: /^09:00 This time has passed/ })).toBeDisabled()
  expect(screen.getByRole('radio', { name: '10:00' })).toBeEnabled()
  expect(screen.getByLabelText('Preferred Date')).toHaveAttribute('max', '2027-11-20')
})
