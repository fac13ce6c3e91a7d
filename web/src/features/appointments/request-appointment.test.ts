import { delay, http, HttpResponse } from 'msw'
import { afterEach, expect, test, vi } from 'vitest'
import { server } from '@/test/server'
import { requestAppointment } from './request-appointment'
import type { AppointmentForm } from './rules'

const payload = {
  name: 'Asha Rao',
  phone: '9876543210',
  email: 'asha@example.in',
  service: 'ITR Filing',
  preferredDate: '2026-11-23',
  preferredTime: '11:00',
}
const form: AppointmentForm = { ...payload, message: '' }
const unanswered = { ok: false, rejection: { reason: undefined, fields: {}, full: false } }

afterEach(() => {
  vi.useRealTimers()
})

// S3.appt.01-03: the service is sent by its name, an empty message is left out. S2.appt.10, S3.appt.01-04
test('a live request is posted and resolves with the pending appointment', async () => {
  let posted: unknown
  server.use(
    http.post('/api/appointments', async ({ request }) => {
      posted = await request.json()
      const appointment = { ...payload, id: 'a1', status: 'pending', createdAt: '2026-11-20T06:00:00.000Z' }
      return HttpResponse.json({ appointment: { ...appointment, message: '' } }, { status: 201 })
    }),
  )

  const outcome = await requestAppointment(form, 'live')

  expect(posted).toEqual({ ...payload, language: 'en', messages: false })
  expect(outcome).toMatchObject({ ok: true, appointment: { ...payload, id: 'a1', status: 'pending' } })
})

// There is no handler for the call, so a request would fail the test.
// S2.appt.09, S7.appt.01, S3.appt.04
test('a simulated request takes 500 ms and makes no call', async () => {
  vi.useFakeTimers({ now: new Date('2026-11-20T06:00:00Z') })
  const called = vi.spyOn(globalThis, 'fetch')
  const settled = vi.fn()

  const outcome = requestAppointment({ ...form, message: 'Evening, please' }, 'simulated')
  outcome.then(settled, settled)

  await vi.advanceTimersByTimeAsync(499)
  expect(settled).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(settled).toHaveBeenCalledOnce()
  expect(called).not.toHaveBeenCalled()
  const { appointment } = (await outcome) as { appointment: object }
  expect(appointment).toEqual({
    ...payload,
    message: 'Evening, please',
    id: expect.stringMatching(/./) as string,
    status: 'pending',
    createdAt: '2026-11-20T06:00:00.500Z',
  })
})

test('a rejected request has its sentence and one for each known field', async () => {
  server.use(
    http.post('/api/appointments', () =>
      HttpResponse.json(
        {
          error: 'Please enter a valid 10-digit phone number',
          code: 'validation',
          request_id: 'r1',
          fields: { phone: 'Please enter a valid 10-digit phone number', shoe: 'Too big' },
        },
        { status: 400 },
      ),
    ),
  )

  expect(await requestAppointment(form, 'live')).toEqual({
    ok: false,
    rejection: {
      reason: 'Please enter a valid 10-digit phone number',
      fields: { phone: 'Please enter a valid 10-digit phone number' },
      full: false,
    },
  })
})

test('a time that was taken meanwhile is the error of the time', async () => {
  server.use(
    http.post('/api/appointments', () =>
      HttpResponse.json(
        { error: 'This time is taken.', code: 'slot_full', params: { free: '09:00,10:00' } },
        { status: 409 },
      ),
    ),
  )
  const taken = 'This time is taken. Please choose another one.'
  expect(await requestAppointment(form, 'live')).toEqual({
    ok: false,
    rejection: { reason: taken, fields: { preferredTime: taken }, full: true },
  })
})

test('the request says whether the visitor agrees to text messages', async () => {
  let posted: unknown
  server.use(
    http.post('/api/appointments', async ({ request }) => {
      posted = await request.json()
      return new HttpResponse(null, { status: 503 })
    }),
  )
  await requestAppointment(form, 'live', true)
  expect(posted).toMatchObject({ messages: true })
})

test('an unavailable, foreign or silent backend is a failure without a reason', async () => {
  server.use(http.post('/api/appointments', () => HttpResponse.error()))
  expect(await requestAppointment(form, 'live')).toEqual(unanswered)

  server.use(http.post('/api/appointments', () => HttpResponse.html('<p>Bad Gateway</p>', { status: 502 })))
  expect(await requestAppointment(form, 'live')).toEqual(unanswered)

  server.use(http.post('/api/appointments', () => HttpResponse.json({})))
  expect(await requestAppointment(form, 'live')).toEqual(unanswered)

  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort())
  server.use(http.post('/api/appointments', () => delay('infinite')))
  expect(await requestAppointment(form, 'live')).toEqual(unanswered)
})
