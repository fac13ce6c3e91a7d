import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test, vi } from 'vitest'
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

function show(mode: 'live' | 'simulated' = 'live', { texts = false } = {}) {
  const onSubmitted = vi.fn()
  const onFailed = vi.fn()
  const options = { mode, texts, offer, onSubmitted, onFailed }
  render(<AppointmentForm {...options} />)
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

type State = 'far' | 'closed' | 'past' | 'full' | 'free'
type Times = Record<string, State>

const next = { date: '2026-11-24', time: '10:00' }

/** The office answers each question about a day with the slots that are listed for it, the last of them again and again. */
function answerSlots(days: Record<string, Times[]>, nextFree: typeof next | null = next) {
  const asked: string[] = []
  server.use(
    http.get('/api/appointments/slots', ({ request }) => {
      const query = new URL(request.url).searchParams
      const date = query.get('from') ?? ''
      asked.push(`${date} ${query.get('days')}`)
      const answers = days[date] ?? []
      const times = answers.length > 1 ? answers.shift() : answers[0]
      const slots = Object.entries(times ?? {}).map(([time, state]) => ({ time, state }))
      return HttpResponse.json({ days: [{ date, open: true, name: '', slots }], nextFree })
    }),
  )
  return asked
}

// The office does not say which times are free: it decides when it has the request.
beforeEach(() => {
  server.use(http.get('/api/appointments/slots', () => HttpResponse.error()))
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
test('an accepted request has what was entered', async () => {
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
})

// S2.appt.12
test('a simulated request is validated and confirmed like a live one, and nothing is asked', async () => {
  const asked = answerSlots({ '2026-11-23': [{ '09:00': 'free', '10:00': 'full' }] })
  const { user, onSubmitted } = show('simulated', { texts: true })
  expect(screen.queryByRole('checkbox')).toBeNull()
  await user.click(field.submit())
  expect(field.name()).toHaveAccessibleDescription('Name is required')
  await fillIn(user)
  await user.click(field.submit())
  await eventually(() => expect(onSubmitted).toHaveBeenCalledOnce())
  expect(asked).toEqual([])
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
  expect(screen.getByRole('radio', { name: '09:00 over' })).toBeDisabled()
  expect(screen.getByRole('radio', { name: '10:00' })).toBeEnabled()
  expect(screen.getByLabelText('Preferred Date')).toHaveAttribute('max', '2027-11-20')
})

test('times that are closed, over or taken cannot be chosen, and say why', async () => {
  const asked = answerSlots({
    '2026-11-23': [{ '09:00': 'full', '10:00': 'free' }],
    '2026-11-24': [{ '09:00': 'closed', '10:00': 'past' }],
  })
  const { user } = show()
  await user.type(field.date(), '2026-11-23')
  expect(await screen.findByRole('radio', { name: '09:00 taken' })).toBeDisabled()
  await user.click(screen.getByRole('radio', { name: '10:00' }))
  await user.clear(field.date())
  await user.type(field.date(), '2026-11-24')
  expect(await screen.findByRole('radio', { name: '09:00 closed' })).toBeDisabled()
  expect(screen.getByRole('radio', { name: '10:00 over' })).not.toBeChecked()
  expect(asked).toEqual(['2026-11-23 1', '2026-11-24 1'])
})

test('a full day offers the next free time, whose button chooses its day', async () => {
  answerSlots({
    '2026-11-23': [{ '09:00': 'full', '10:00': 'full' }],
    '2026-11-24': [{ '09:00': 'full', '10:00': 'free' }],
  })
  const { user } = show()
  await user.type(field.date(), '2026-11-23')
  const button = await screen.findByRole('button', { name: 'Tuesday, 24 Nov 2026, 10:00 AM' })
  expect(button.parentElement).toHaveTextContent(
    'No free time on Monday, 23 Nov 2026. The next free time is Tuesday, 24 Nov 2026, 10:00 AM.',
  )
  await user.click(button)
  expect(field.date()).toHaveValue('2026-11-24')
  expect(screen.getByText('Tuesday, 24 Nov 2026')).toBeVisible()
  expect(await screen.findByRole('radio', { name: '09:00 taken' })).toBeDisabled()
  expect(screen.getByRole('radio', { name: '10:00' })).toHaveFocus()
  expect(screen.queryByText(/^No free time/)).toBeNull()
})

test('a full day without a later free time says so', async () => {
  answerSlots({ '2026-11-23': [{ '09:00': 'full', '10:00': 'full' }] }, null)
  const { user } = show()
  await user.type(field.date(), '2026-11-23')
  expect(await screen.findByText('No free time on this day.')).toBeVisible()
})

test('a time that is taken meanwhile is refused under its field, and the slots are asked for again', async () => {
  const asked = answerSlots({
    '2026-11-23': [
      { '09:00': 'free', '10:00': 'free' },
      { '09:00': 'free', '10:00': 'full' },
    ],
  })
  server.use(
    http.post('/api/appointments', () =>
      HttpResponse.json(
        {
          error: 'This time is taken. Please choose another one.',
          code: 'slot_full',
          params: { free: '09:00' },
        },
        { status: 409 },
      ),
    ),
  )
  const { user, onFailed } = show()
  await fillIn(user)
  await eventually(() => expect(asked).toHaveLength(1))
  await user.click(field.submit())
  const sentence = 'This time is taken. Please choose another one.'
  await eventually(() => expect(onFailed).toHaveBeenCalledWith(sentence))
  expect(field.times()).toHaveAccessibleDescription(sentence)
  expect(asked).toHaveLength(2)
  expect(screen.getByRole('radio', { name: '10:00 taken' })).not.toBeChecked()
  expect(screen.getByRole('radio', { name: '09:00' })).toHaveFocus()
  expect(field.name()).toHaveValue('Asha Rao')
})

test('text messages are offered where the office sends them, and are never chosen beforehand', async () => {
  let posted: unknown
  server.use(
    http.post('/api/appointments', async ({ request }) => {
      posted = await request.json()
      return new HttpResponse(null, { status: 503 })
    }),
  )
  const { user, onFailed } = show('live', { texts: true })
  await fillIn(user)
  const box = screen.getByRole('checkbox', { name: 'Send me a text message before the appointment' })
  expect(box).not.toBeChecked()
  await user.click(box)
  await user.click(field.submit())
  await eventually(() => expect(onFailed).toHaveBeenCalledOnce())
  expect(posted).toMatchObject({ language: 'en', messages: true })
})

test('the box for text messages is not shown where the office sends none', () => {
  show()
  expect(screen.queryByRole('checkbox')).toBeNull()
})
