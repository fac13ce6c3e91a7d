import { delay, http, HttpResponse } from 'msw'
import { afterEach, expect, test, vi } from 'vitest'
import { keys } from '@/storage'
import { server } from '@/test/server'
import { api, onNotFresh, onUnauthorized, payload, timeoutMs } from './client'
import { faultOf, faultOfFailure } from './fault'
import { resetPositions, recordEventPosition } from './feed-position'

const readServices = () => payload(api.GET('/api/services'))
const answer = (status: number, body?: object, statusText?: string) =>
  server.use(
    http.get('*/api/services', () =>
      HttpResponse.json(body ?? null, { status, ...(statusText === undefined ? {} : { statusText }) }),
    ),
  )

afterEach(resetPositions)

// S7.client.01, S7.client.03
test('a product call goes to /api and carries the stored token', async () => {
  localStorage.setItem(keys.token, 'a-token')
  let sent: Request | undefined
  server.use(
    http.get('*/api/services', ({ request }) => {
      sent = request
      return HttpResponse.json({ services: [] })
    }),
  )
  expect(await readServices()).toEqual({ services: [] })
  expect(new URL(sent?.url ?? '').pathname).toBe('/api/services')
  expect(sent?.headers.get('Authorization')).toBe('Bearer a-token')
  expect(sent?.headers.get('X-Feed-Min')).toBeNull()
})

test('a read after a live event requires a response at least as new', async () => {
  recordEventPosition('auth=a:4;visits=e:42')
  let sent: Request | undefined
  server.use(
    http.get('*/api/services', ({ request }) => {
      sent = request
      return HttpResponse.json({ services: [] })
    }),
  )
  await readServices()
  expect(sent?.headers.get('X-Feed-Min')).toBe('visits=e:42')
})

test('a 401 to a token that was replaced meanwhile is retried with the new token', async () => {
  localStorage.setItem(keys.token, 'before')
  localStorage.setItem(keys.user, '{"id":"u"}')
  const onEnd = vi.fn()
  const stop = onUnauthorized(onEnd)
  const sent: (string | null)[] = []
  server.use(
    http.get('*/api/services', ({ request }) => {
      sent.push(request.headers.get('Authorization'))
      if (sent.length > 1) return HttpResponse.json({ services: [] })
      localStorage.setItem(keys.token, 'renewed')
      return HttpResponse.json({ error: 'anything', code: 'unauthorized', request_id: 'r' }, { status: 401 })
    }),
  )
  expect(await readServices()).toEqual({ services: [] })
  expect(sent).toEqual(['Bearer before', 'Bearer renewed'])
  expect(onEnd).not.toHaveBeenCalled()
  expect(localStorage.getItem(keys.token)).toBe('renewed')
  stop()
})

// S4.auth.12, S8.error.01
test('a 401 clears token and user, notifies once and rejects with Unauthorized access', async () => {
  localStorage.setItem(keys.token, 'dead')
  localStorage.setItem(keys.user, '{"id":"u"}')
  localStorage.setItem(keys.theme, 'dark')
  const onEnd = vi.fn()
  const stop = onUnauthorized(onEnd)
  answer(401, { error: 'anything', code: 'unauthorized', request_id: 'r' })
  await expect(readServices()).rejects.toMatchObject({ message: 'Unauthorized access', status: 401 })
  expect(onEnd).toHaveBeenCalledOnce()
  expect(localStorage.getItem(keys.token)).toBeNull()
  expect(localStorage.getItem(keys.user)).toBeNull()
  expect(localStorage.getItem(keys.theme)).toBe('dark')
  stop()
})

test.each([403, 503])('a %d keeps the session', async (status) => {
  localStorage.setItem(keys.token, 'good')
  answer(status, { error: 'no', code: 'unavailable', request_id: 'r' })
  await expect(readServices()).rejects.toMatchObject({ status })
  expect(localStorage.getItem(keys.token)).toBe('good')
})

// S8.error.02
test("any other error has the body's sentence and code", async () => {
  answer(409, { error: 'Visit is already denied', code: 'visit_already_decided', request_id: 'r' })
  await expect(readServices()).rejects.toMatchObject({
    message: 'Visit is already denied',
    code: 'visit_already_decided',
  })
})

// S8.error.03
test("without an error field the message is the request's own", async () => {
  answer(500, {}, 'Internal Server Error')
  await expect(readServices()).rejects.toMatchObject({ message: 'Internal Server Error' })
  server.use(http.get('*/api/services', () => HttpResponse.error()))
  await expect(readServices()).rejects.toMatchObject({
    status: 0,
    message: expect.stringMatching(/fetch/i) as string,
  })
})

// S8.error.04
test('without either the message is An error occurred', () => {
  expect(faultOf(500, {}, '').message).toBe('An error occurred')
  expect(faultOf(500, { error: 5 }, '').message).toBe('An error occurred')
  expect(faultOfFailure('no error at all').message).toBe('An error occurred')
})

// S7.client.04
test('only 2xx counts as success', async () => {
  answer(304, undefined, 'Not Modified')
  await expect(readServices()).rejects.toMatchObject({ status: 304 })
})

// S7.client.02
test('a call without a response fails after ten seconds', async () => {
  const limits = vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    const controller = new AbortController()
    if (milliseconds === timeoutMs)
      setTimeout(() => controller.abort(new DOMException('signal timed out', 'TimeoutError')), 20)
    return controller.signal
  })
  server.use(
    http.get('*/api/services', async () => {
      await delay('infinite')
    }),
  )
  await expect(readServices()).rejects.toMatchObject({
    message: 'The server took too long to respond. Check your connection and try again.',
  })
  expect(limits).toHaveBeenCalledWith(10_000)
})

const notFresh = () => answer(403, { error: 'Please sign in again for this.', code: 'session_not_fresh' })

test('a call for which the session is too old is repeated once the person has signed in again', async () => {
  notFresh()
  const asked = vi.fn(() => {
    localStorage.setItem(keys.token, 'of-the-new-session')
    answer(200, { services: [] })
    return Promise.resolve(true)
  })
  const stop = onNotFresh(asked)
  expect(await readServices()).toEqual({ services: [] })
  expect(asked).toHaveBeenCalledTimes(1)
  stop()
})

test('a call for which the session is too old fails if the person does not sign in again', async () => {
  notFresh()
  const stop = onNotFresh(() => Promise.resolve(false))
  await expect(readServices()).rejects.toMatchObject({ status: 403, code: 'session_not_fresh' })
  stop()
})

test('a call for which the session is too old fails where no screen asks', async () => {
  notFresh()
  const asked = vi.fn(() => Promise.resolve(true))
  onNotFresh(asked)()
  await expect(readServices()).rejects.toMatchObject({ status: 403, code: 'session_not_fresh' })
  answer(403, { error: 'No.', code: 'forbidden' })
  await expect(readServices()).rejects.toMatchObject({ code: 'forbidden' })
  expect(asked).not.toHaveBeenCalled()
})
