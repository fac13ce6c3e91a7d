import { http, HttpResponse } from 'msw'
import { expect, test, vi } from 'vitest'
import { keys } from '@/storage'
import { server } from '@/test/server'
import { createAuthClient } from './auth-client'

const base = 'https://office.example/api/auth'
const client = () => createAuthClient(base)

/** Answers every call of the client and keeps what was asked. */
function answer(respond: () => Response) {
  const asked: Request[] = []
  server.use(
    http.all(`${base}/*`, ({ request }) => {
      asked.push(request.clone())
      return respond()
    }),
  )
  return asked
}

test('each call goes to its path below the base address, with credentials (S7.auth.01-02)', async () => {
  const asked = answer(() => HttpResponse.json(null))
  const fetched = vi.spyOn(globalThis, 'fetch')
  await client().getSession()
  await client().signOut()
  expect(asked.map(({ method, url }) => [method, url])).toEqual([
    ['GET', `${base}/get-session`],
    ['POST', `${base}/sign-out`],
  ])
  expect(fetched.mock.calls.map(([, init]) => init?.credentials)).toEqual(['include', 'include'])
})

test('the stored token is sent as bearer, and nothing where there is none (S7.auth.04)', async () => {
  const asked = answer(() => HttpResponse.json(null))
  await client().getSession()
  localStorage.setItem(keys.token, 'a-token')
  await client().getSession()
  expect(asked.map(({ headers }) => headers.get('Authorization'))).toEqual([null, 'Bearer a-token'])
})

test('sign-in sends the two values, where to go and always rememberMe (S7.auth.06-08)', async () => {
  const asked = answer(() => HttpResponse.json({}))
  await client().signIn({ email: 'a@b.in', password: 'secret' })
  expect(asked[0]?.method).toBe('POST')
  expect(asked[0]?.url).toBe(`${base}/sign-in/email`)
  expect(await asked[0]?.json()).toEqual({
    email: 'a@b.in',
    password: 'secret',
    callbackURL: '/dashboard',
    rememberMe: true,
  })
})

test('sign-up sends e-mail, password, name and where to go, nothing else (S3.payload.01, S7.auth.10)', async () => {
  const asked = answer(() => HttpResponse.json({}))
  await client().signUp({ email: 'a@b.in', password: 'secret', name: 'Asha' })
  expect(asked[0]?.url).toBe(`${base}/sign-up/email`)
  expect(await asked[0]?.json()).toEqual({
    email: 'a@b.in',
    password: 'secret',
    name: 'Asha',
    callbackURL: '/dashboard',
  })
})

test('an answer without a body is an error made from its status and message (S7.auth.05)', async () => {
  answer(() => new HttpResponse(null, { status: 502, statusText: 'Bad Gateway' }))
  expect(await client().getSession()).toEqual({
    data: null,
    error: { status: 502, message: 'HTTP 502: Bad Gateway' },
  })
  answer(() => new HttpResponse(null, { status: 200, statusText: 'OK' }))
  expect((await client().getSession()).error?.message).toBe('HTTP 200: OK')
})

test('null is an answer: there is no session', async () => {
  answer(() => HttpResponse.json(null))
  expect(await client().getSession()).toEqual({ data: null, error: null })
})

test("a refusal carries the server's status, message and code", async () => {
  answer(() => HttpResponse.json({ message: 'Invalid password', code: 'INVALID_PASSWORD' }, { status: 400 }))
  expect((await client().signOut()).error).toEqual({
    status: 400,
    message: 'Invalid password',
    code: 'INVALID_PASSWORD',
  })
})

test('a network failure is an error response, not an exception (S8.client.01)', async () => {
  answer(() => HttpResponse.error())
  const { data, error } = await client().getSession()
  expect(data).toBeNull()
  expect(error).toMatchObject({ status: 0, message: expect.stringMatching(/fetch/i) as string })
})

test('a base address that is none raises an error (S8.client.02)', () => {
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
])('after %s the session counts as another one', async (_name, path) => {
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

test('a refused or unrelated call leaves the session as it is', async () => {
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
