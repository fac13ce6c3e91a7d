import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import defaultOffice from 'virtual:office'
import type { Role } from '@/api/types'
import { keys } from '@/storage'
import { userOf } from '@/test/fixtures'
import { openOffice } from '@/test/office'
import { renderApp } from '@/test/render-app'
import { server } from '@/test/server'

function open(role: Role | null = 'pa') {
  const office = openOffice({ user: role && userOf(role) })
  office.answer('GET /api/auth/ok', () => ({ ok: true }))
  return { office, ...renderApp('/debug') }
}

type View = ReturnType<typeof open>

/** Fills the form of a request, presses its button and returns the region with the exchange. */
async function make({ person }: View, name: string, values: Record<string, string> = {}) {
  const form = await screen.findByRole('form', { name })
  for (const [label, value] of Object.entries(values)) {
    await person.clear(within(form).getByLabelText(label))
    await person.type(within(form).getByLabelText(label), value)
  }
  await person.click(within(form).getByRole('button', { name }))
  return within(form).getByRole('status')
}

const password = 'secret'
const callbackURL = '/dashboard'
const redirectTo = '/reset-password'
const email = 'a@b.in'

type Case = {
  name: string
  values?: Record<string, string>
  call: string
  /** What the service must receive, in the body or the query. */
  body?: object
  query?: object
}

const cases: Case[] = [
  {
    name: 'Sign in', // S2.debug.01
    values: { Email: email, Password: password },
    call: 'POST /api/auth/sign-in/email',
    body: { email, password, callbackURL, rememberMe: true },
  },
  {
    name: 'Sign up', // S2.debug.02
    values: { Name: 'Asha', Email: email, Password: password },
    call: 'POST /api/auth/sign-up/email',
    body: { name: 'Asha', email, password, callbackURL },
  },
  { name: 'Sign out', call: 'POST /api/auth/sign-out', body: {} }, // S2.debug.03
  {
    name: 'Account info', // S2.debug.04
    values: { 'Account id': 'a1' },
    call: 'GET /api/auth/account-info',
    query: { accountId: 'a1' },
  },
  {
    name: 'Change email', // S2.debug.05
    values: { 'New email': email, Password: password },
    call: 'POST /api/auth/change-email',
    body: { newEmail: email, callbackURL, password },
  },
  {
    name: 'Change password', // S2.debug.06
    values: { 'Current password': password, 'New password': 'secret2' },
    call: 'POST /api/auth/change-password',
    body: { currentPassword: password, newPassword: 'secret2' },
  },
  {
    name: 'Delete user', // S2.debug.07
    values: { Password: password },
    call: 'POST /api/auth/delete-user',
    body: { password },
  },
  {
    name: 'Forgot password', // S2.debug.08
    values: { Email: email },
    call: 'POST /api/auth/forget-password',
    body: { email, redirectTo },
  },
  {
    name: 'Request password reset', // S7.debug.04
    values: { Email: email },
    call: 'POST /api/auth/request-password-reset',
    body: { email, redirectTo },
  },
  {
    name: 'Reset password', // S2.debug.09
    values: { 'Reset token': 'r1', 'New password': password },
    call: 'POST /api/auth/reset-password',
    body: { token: 'r1', newPassword: password },
  },
  {
    name: 'Verify email', // S2.debug.10
    values: { 'Verification token': 'v1' },
    call: 'GET /api/auth/verify-email',
    query: { token: 'v1' },
  },
  {
    name: 'Send verification', // S2.debug.11
    values: { Email: email },
    call: 'POST /api/auth/send-verification-email',
    body: { email, callbackURL },
  },
  { name: 'List sessions', call: 'GET /api/auth/list-sessions' }, // S2.debug.12
  {
    name: 'Revoke session', // S7.debug.05
    values: { 'Session token': 's1' },
    call: 'POST /api/auth/revoke-session',
    body: { token: 's1' },
  },
  { name: 'Revoke sessions', call: 'POST /api/auth/revoke-sessions', body: {} }, // S2.debug.13
  { name: 'Revoke other sessions', call: 'POST /api/auth/revoke-other-sessions', body: {} }, // S2.debug.13
  {
    name: 'Link social', // S2.debug.14
    values: { Provider: 'google' },
    call: 'POST /api/auth/link-social',
    body: { provider: 'google', callbackURL },
  },
  {
    name: 'Unlink account', // S2.debug.15
    values: { 'Account id': 'a1' },
    call: 'POST /api/auth/unlink-account',
    body: { accountId: 'a1' },
  },
  {
    name: 'Update user', // S2.debug.16
    values: { Name: 'Asha' },
    call: 'POST /api/auth/update-user',
    body: { name: 'Asha' },
  },
  {
    name: 'Get access token', // S7.debug.01
    values: { 'Account id': 'a1' },
    call: 'POST /api/auth/get-access-token',
    body: { accountId: 'a1' },
  },
  { name: 'List accounts', call: 'GET /api/auth/list-accounts' }, // S7.debug.02
  {
    name: 'Refresh token', // S7.debug.03
    values: { 'Account id': 'a1' },
    call: 'POST /api/auth/refresh-token',
    body: { accountId: 'a1' },
  },
]

test.each(cases)('$name makes $call and shows the response', async ({ name, values, call, body, query }) => {
  const view = open()
  view.office.answer(call, () => ({ answered: name }))
  const shown = await make(view, name, values)
  await waitFor(() => expect(shown).toHaveTextContent(`{ "answered": "${name}" }`))
  expect(shown).toHaveTextContent('200 OK')
  expect(shown).toHaveTextContent(call)
  const [request] = view.office.requests(call)
  expect(request?.body).toEqual(body)
  expect(Object.fromEntries(request?.query ?? [])).toEqual(query ?? {})
})

test('Get session sends the token and shows the user', async () => {
  const view = open()
  const shown = await make(view, 'Get session')
  await waitFor(() => expect(shown).toHaveTextContent('"email": "pa@lekha.example"'))
  const request = view.office.requests('GET /api/auth/get-session').at(-1)
  expect(request?.headers.get('Authorization')).toBe('Bearer token-of-the-session')
})

test('there is a button for each of these calls and no other', async () => {
  open()
  const forms = await screen.findAllByRole('form')
  const names = forms.map((form) => form.getAttribute('aria-label'))
  expect(names.toSorted()).toEqual(['Get session', ...cases.map(({ name }) => name)].toSorted())
})

test('an error is shown with status and reason, and passwords are masked', async () => {
  const view = open()
  view.office.fail('POST /api/auth/sign-in/email', 401, { message: 'Invalid email or password' })
  const shown = await make(view, 'Sign in', { Email: email, Password: 'hunter2' })
  await waitFor(() => expect(shown).toHaveTextContent('401'))
  expect(shown).toHaveTextContent('"message": "Invalid email or password"')
  expect(shown).toHaveTextContent('"password": "••••••"')
  expect(shown).not.toHaveTextContent('hunter2')
})

test('a response without a body is distinguished from no response', async () => {
  const view = open()
  server.use(http.get('*/api/auth/list-accounts', () => new HttpResponse(null, { status: 401 })))
  const rejected = await make(view, 'List accounts')
  await waitFor(() => expect(rejected).toHaveTextContent(/401.*\(no body\)/))
  server.use(http.get('*/api/auth/list-sessions', () => HttpResponse.error()))
  const unreached = await make(view, 'List sessions')
  await waitFor(() => expect(unreached).toHaveTextContent(/GET \/api\/auth\/list-sessions\s*No answer/))
})

test('deleting an account requires the password', async () => {
  const view = open()
  await make(view, 'Delete user')
  expect(view.office.requests('POST /api/auth/delete-user')).toHaveLength(0)
})

// S4.auth.05, S4.auth.07
test('the screen shows the session that the calls start and end', async () => {
  const view = open(null)
  expect(await screen.findByText('Not signed in')).toBeVisible()
  view.office.answer('POST /api/auth/sign-in/email', () => {
    view.office.state.user = userOf('admin')
    return { redirect: true, url: '/dashboard' }
  })
  await make(view, 'Sign in', { Email: email, Password: password })
  expect(await screen.findByText('Signed in as admin@lekha.example (admin)')).toBeVisible()
  expect(localStorage.getItem(keys.token)).toBe('token-of-the-session')
  expect(view.path(), 'an address in an answer is not followed').toBe('/debug')

  await make(view, 'Sign out')
  expect(await screen.findByText('Not signed in')).toBeVisible()
  expect(localStorage.getItem(keys.token)).toBeNull()
})

const health = () => screen.findByRole('status', { name: 'API health' })

// S2.debug.17, S7.debug.06, S2.route.04
test.each([
  ['Good', () => HttpResponse.json({ ok: true })],
  ['Failing', () => HttpResponse.json({ ok: false })],
  ['Failing', () => HttpResponse.json({ message: 'unavailable' }, { status: 503 })],
  ['Failing', () => HttpResponse.error()],
])('the health of the API is shown: %s', async (state, answer) => {
  const { person } = open()
  server.use(http.get('*/api/auth/ok', answer))
  await person.click(await screen.findByRole('button', { name: 'Check again' }))
  await waitFor(async () => expect(await health()).toHaveTextContent(`API health: ${state}`))
})

// S2.route.05
test('an office without the debug screen shows Page Under Construction', async () => {
  const { features, ...office } = defaultOffice
  openOffice({ user: null })
  server.use(
    http.get('*/api/office', () => HttpResponse.json({ ...office, features: { ...features, debug: false } })),
  )
  renderApp('/debug')
  expect(await screen.findByRole('heading', { name: 'Page Under Construction' })).toBeVisible()
  // ASVS 13.4.2
  expect(screen.queryAllByRole('form')).toHaveLength(0)
})
