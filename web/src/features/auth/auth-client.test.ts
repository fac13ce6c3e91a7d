import { http, HttpResponse } from 'msw'
import { expect, test, vi } from 'vitest'
import { keys } from '@/storage'
import { server } from '@/test/server'
import { createAuthClient } from './auth-client'

const base = 'https://office.example/api/auth'
const client = () => createAuthClient(base)

/** Responds to every call of the client and records the requests. */
function answer(respond: () => Response) {
  const requests: Request[] = []
  server.use(
    http.all(`${base}/*`, ({ request }) => {
      requests.push(request.clone())
      return respond()
    }),
  )
  return requests
}

// S7.auth.01-02
test('each call goes to its path below the base address, with credentials', async () => {
  const requests = answer(() => HttpResponse.json(null))
  const fetched = vi.spyOn(globalThis, 'fetch')
  await client().getSession()
  await client().signOut()
  expect(requests.map(({ method, url }) => [method, url])).toEqual([
    ['GET', `${base}/get-session`],
    ['POST', `${base}/sign-out`],
  ])
  expect(fetched.mock.calls.map(([, init]) => init?.credentials)).toEqual(['include', 'include'])
})

// S7.auth.04
test('the stored token is sent as a bearer token, and no header without one', async () => {
  const requests = answer(() => HttpResponse.json(null))
  await client().getSession()
  localStorage.setItem(keys.token, 'a-token')
  await client().getSession()
  expect(requests.map(({ headers }) => headers.get('Authorization'))).toEqual([null, 'Bearer a-token'])
})

// S7.auth.06-08
test('sign-in sends both values, the callback URL and always rememberMe', async () => {
  const requests = answer(() => HttpResponse.json({}))
  await client().signIn({ email: 'a@b.in', password: 'secret' })
  expect(requests[0]?.method).toBe('POST')
  expect(requests[0]?.url).toBe(`${base}/sign-in/email`)
  expect(await requests[0]?.json()).toEqual({
    email: 'a@b.in',
    password: 'secret',
    callbackURL: '/dashboard',
    rememberMe: true,
  })
})

// S3.payload.01, S7.auth.10
test('sign-up sends email, password, name and the callback URL, nothing else', async () => {
  const requests = answer(() => HttpResponse.json({}))
  await client().signUp({ email: 'a@b.in', password: 'secret', name: 'Asha' })
  expect(requests[0]?.url).toBe(`${base}/sign-up/email`)
  expect(await requests[0]?.json()).toEqual({
    email: 'a@b.in',
    password: 'secret',
    name: 'Asha',
    callbackURL: '/dashboard',
  })
})

// S7.auth.05
test('a response without a body is an error built from its status and message', async () => {
  answer(() => new HttpResponse(null, { status: 502, statusText: 'Bad Gateway' }))
  expect(await client().getSession()).toEqual({
    data: null,
    error: { status: 502, message: 'HTTP 502: Bad Gateway' },
  })
  answer(() => new HttpResponse(null, { status: 200, statusText: 'OK' }))
  expect((await client().getSession()).error?.message).toBe('HTTP 200: OK')
})

test('null is a response: there is no session', async () => {
  answer(() => HttpResponse.json(null))
  expect(await client().getSession()).toEqual({ data: null, error: null })
})

test("an error has the server's status, message and code", async () => {
  answer(() => HttpResponse.json({ message: 'Invalid password', code: 'INVALID_PASSWORD' }, { status: 400 }))
  expect((await client().signOut()).error).toEqual({
    status: 400,
    message: 'Invalid password',
    code: 'INVALID_PASSWORD',
  })
})

// S8.client.01
test('a network failure is an error response, not an exception', async () => {
  answer(() => HttpResponse.error())
  const { data, error } = await client().getSession()
  expect(data).toBeNull()
  expect(error).toMatchObject({ status: 0, message: expect.stringMatching(/fetch/i) as string })
})

// S8.client.02
test('an invalid base address throws an error', () => {
  expect(() => createAuthClient('no address')).toThrow(/url/i)
})

test.each([
  ['login', '/sign-in/email', 'S4.auth.03'],
  ['any sign-in', '/sign-in/social', 'S4.auth.07'],
  ['registration', '/sign-up/email', 'S4.auth.04'],
  ['any sign-up', '/sign-up/phone', 'S4.auth.07'],
  ['sign-out', '/sign-out', 'S4.auth.05'],
  ['logout', '/logout', 'S4.auth.05'],
  ['update-user', '/update-user', 'S4.auth.06'],
  ['delete-user', '/delete-user', 'S4.auth.08'],
  ['verify-email', '/verify-email', 'S4.auth.09'],
])('%s notifies of a changed session', async (_name, path) => {
  answer(() => HttpResponse.json({ status: true }))
  const one = client()
  const changed = vi.fn()
  const stop = one.onSessionChange(changed)
  await one.call(path)
  expect(changed).toHaveBeenCalledOnce()
  stop()
  await one.call(path)
  expect(changed).toHaveBeenCalledOnce()
})

test('a rejected or unrelated call does not notify', async () => {
  const one = client()
  const changed = vi.fn()
  one.onSessionChange(changed)
  answer(() => HttpResponse.json({ message: 'no' }, { status: 400 }))
  await one.call('/update-user')
  answer(() => HttpResponse.json({}))
  await one.call('/list-sessions', { method: 'GET' })
  await one.getSession()
  expect(changed).not.toHaveBeenCalled()
})
