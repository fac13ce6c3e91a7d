import { delay, http, HttpResponse } from 'msw'
import { afterEach, expect, test, vi } from 'vitest'
import { keys } from '@/storage'
import { server } from '@/test/server'
import { api, onUnauthorized, payload, timeoutMs } from './client'
import { faultOf, faultOfFailure } from './fault'
import { forgetFeed, reached } from './feed-position'

const readServices = () => payload(api.GET('/api/services'))
const answer = (status: number, body?: object, statusText?: string) =>
  server.use(
    http.get('*/api/services', () =>
      HttpResponse.json(body ?? null, { status, ...(statusText === undefined ? {} : { statusText }) }),
    ),
  )

afterEach(forgetFeed)

test('a product call goes to /api and carries the stored token (S7.client.01, S7.client.03)', async () => {
  localStorage.setItem(keys.token, 'a-token')
  let asked: Request | undefined
  server.use(
    http.get('*/api/services', ({ request }) => {
      asked = request
      return HttpResponse.json({ services: [] })
    }),
  )
  expect(await readServices()).toEqual({ services: [] })
  expect(new URL(asked?.url ?? '').pathname).toBe('/api/services')
  expect(asked?.headers.get('Authorization')).toBe('Bearer a-token')
  expect(asked?.headers.get('X-Feed-Min')).toBeNull()
})

test('after a live event a read asks for answers at least as new', async () => {
  reached('auth=a:4;visits=e:42')
  let asked: Request | undefined
  server.use(
    http.get('*/api/services', ({ request }) => {
      asked = request
      return HttpResponse.json({ services: [] })
    }),
  )
  await readServices()
  expect(asked?.headers.get('X-Feed-Min')).toBe('visits=e:42')
})

test('a 401 to the token of a session that was renewed meanwhile is asked again with the new one', async () => {
  localStorage.setItem(keys.token, 'before')
  localStorage.setItem(keys.user, '{"id":"u"}')
  const onEnd = vi.fn()
  const stop = onUnauthorized(onEnd)
  const asked: (string | null)[] = []
  server.use(
    http.get('*/api/services', ({ request }) => {
      asked.push(request.headers.get('Authorization'))
      if (asked.length > 1) return HttpResponse.json({ services: [] })
      localStorage.setItem(keys.token, 'renewed')
      return HttpResponse.json({ error: 'anything', code: 'unauthorized', request_id: 'r' }, { status: 401 })
    }),
  )
  expect(await readServices()).toEqual({ services: [] })
  expect(asked).toEqual(['Bearer before', 'Bearer renewed'])
  expect(onEnd).not.toHaveBeenCalled()
  expect(localStorage.getItem(keys.token)).toBe('renewed')
  stop()
})

test('a 401 clears token and user, notifies once and raises Unauthorized access (S4.auth.12, S8.error.01)', async () => {
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

test.each([403, 503])('a %d leaves the session alone', async (status) => {
  localStorage.setItem(keys.token, 'good')
  answer(status, { error: 'no', code: 'unavailable', request_id: 'r' })
  await expect(readServices()).rejects.toMatchObject({ status })
  expect(localStorage.getItem(keys.token)).toBe('good')
})

test("another error speaks with the body's error field and code (S8.error.02)", async () => {
  answer(409, { error: 'Visit is already denied', code: 'visit_already_decided', request_id: 'r' })
  await expect(readServices()).rejects.toMatchObject({
    message: 'Visit is already denied',
    code: 'visit_already_decided',
  })
})

test("without an error field the request's own message speaks (S8.error.03)", async () => {
  answer(500, {}, 'Internal Server Error')
  await expect(readServices()).rejects.toMatchObject({ message: 'Internal Server Error' })
  server.use(http.get('*/api/services', () => HttpResponse.error()))
  await expect(readServices()).rejects.toMatchObject({
    status: 0,
    message: expect.stringMatching(/fetch/i) as string,
  })
})

test('without either the message is An error occurred (S8.error.04)', () => {
  expect(faultOf(500, {}, '').message).toBe('An error occurred')
  expect(faultOf(500, { error: 5 }, '').message).toBe('An error occurred')
  expect(faultOfFailure('no error at all').message).toBe('An error occurred')
})

test('only 2xx counts as success (S7.client.04)', async () => {
  answer(304, undefined, 'Not Modified')
  await expect(readServices()).rejects.toMatchObject({ status: 304 })
})

test('a call without an answer fails after ten seconds (S7.client.02)', async () => {
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
