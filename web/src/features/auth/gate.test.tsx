import { act, screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { afterEach, expect, test, vi } from 'vitest'
import type { User } from '@/api/session-store'
import type { Role } from '@/api/types'
import { pageOffice } from '@/features/office/page-office'
import { keys } from '@/storage'
import { eventually } from '@/test/eventually'
import { userOf } from '@/test/fixtures'
import { openOffice } from '@/test/office'
import { renderApp } from '@/test/render-app'
import { server } from '@/test/server'
import { authClient } from './auth-client'

const verification = 'GET /api/auth/get-session'
const receptionDesk = '/dashboard/receptionist'

const notAuthenticated = 'You are not authenticated. Please login to continue.'
const notPermitted = 'You do not have permission to access this page.'
const deactivated = 'Account Inactive: Your account has been deactivated. Please contact your administrator.'

function open(path: string, user: User | null) {
  const office = openOffice({ user })
  return { office, ...renderApp(path) }
}

afterEach(() => void vi.useRealTimers())

const heading = (name: string) => screen.findByRole('heading', { name })

// S4.auth.02, S4.gate.01
test('while the session is verified there is neither a dashboard nor a redirect', async () => {
  const office = openOffice({ user: userOf('reception') })
  const release = office.hold(verification)
  const { path } = renderApp(receptionDesk)
  expect(await heading('Verifying your session')).toBeVisible()
  expect(path()).toBe(receptionDesk)
  expect(screen.queryByRole('banner')).toBeNull()

  release()
  expect(await heading('Receptionist Dashboard')).toBeVisible()
  expect(screen.queryByText('Verifying your session')).toBeNull()
})

test.each([
  ['/dashboard', 'S2.route.06'],
  [receptionDesk, 'S4.gate.05'],
  ['/dashboard/admin', 'S4.gate.05'],
])(
  'a request for %s without a session redirects to /login with the reason, once (S6.guard.01, %s)',
  async (path) => {
    const view = open(path, null)
    await waitFor(() => expect(view.path()).toBe('/login'))
    expect(await screen.findAllByText(notAuthenticated)).toHaveLength(1)
    expect(screen.queryByText('Authentication Error')).toBeNull()
  },
)

const session = { id: 's', token: 't', userId: 'pa-user', expiresAt: '2026-11-27T00:00:00.000Z' }

// S4.auth.01
test.each([
  ['a session without a user', { session, user: null }],
  ['a user without a session', { session: null, user: userOf('pa') }],
])('%s counts as signed out, and the stored data is deleted', async (_what, answer) => {
  const office = openOffice({ user: userOf('pa') })
  office.answer(verification, () => answer)
  const { path } = renderApp('/dashboard/pa')
  await waitFor(() => expect(path()).toBe('/login'))
  expect(localStorage.getItem(keys.token)).toBeNull()
})

// S4.gate.02-03, S8.toast.04
test.each([
  ['a failing server', () => HttpResponse.json({ message: 'no' }, { status: 503 })],
  ['a network failure', () => HttpResponse.error()],
  ['an answer without a body', () => new HttpResponse(null, { status: 200 })],
])('%s shows Authentication Error, and Retry continues', async (_what, answer) => {
  const office = openOffice({ user: userOf('reception') })
  server.use(http.get('*/api/auth/get-session', answer))
  const { path, person } = renderApp(receptionDesk)
  expect(await heading('Authentication Error')).toBeVisible()
  expect(await screen.findAllByText('Failed to verify authentication. Please try again.')).toHaveLength(1)
  expect(path()).toBe(receptionDesk)
  expect(localStorage.getItem(keys.token), 'the session is kept').toBe('token-of-the-session')

  server.use(
    http.get('*/api/auth/get-session', () => HttpResponse.json({ session, user: office.state.user })),
  )
  await person.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await heading('Receptionist Dashboard')).toBeVisible()
})

// S4.gate.04
test('a verification that is answered 401 redirects to /login instead', async () => {
  const office = openOffice({ user: userOf('reception') })
  office.fail(verification, 401, { message: 'Unauthorized' })
  const { path } = renderApp(receptionDesk)
  await waitFor(() => expect(path()).toBe('/login'))
  expect(screen.queryByText('Authentication Error')).toBeNull()
  expect(localStorage.getItem(keys.token)).toBeNull()
})

const desks = {
  reception: [receptionDesk, 'Receptionist Dashboard'],
  pa: ['/dashboard/pa', 'PA Dashboard'],
  consultant: ['/dashboard/consultant', 'Consultant Dashboard'],
  admin: ['/dashboard/admin', 'Admin Dashboard'],
} as const
const roles = Object.keys(desks) as Role[]

// S2.layout.18, S2.route.07, S2.route.09, S2.route.11, S2.route.13
test.each(roles)('%s opens their own dashboard, an admin every one', async (role) => {
  const [path, title] = desks[role]
  const own = open(path, userOf(role))
  expect(await heading(title)).toBeVisible()
  own.unmount()
  const admin = open(path, userOf('admin'))
  expect(await heading(title)).toBeVisible()
  expect(admin.path()).toBe(path)
})

const strangers = roles.flatMap((role) =>
  roles.filter((desk) => role !== 'admin' && desk !== role).map((desk) => [role, desk] as const),
)

// S2.route.08, S2.route.10, S2.route.12, S2.route.14, S4.gate.06, S6.guard.02
test.each(strangers)(
  '%s is redirected from the dashboard of %s to their own with the reason',
  async (role, desk) => {
    const view = open(desks[desk][0], userOf(role))
    expect(await heading(desks[role][1])).toBeVisible()
    expect(view.path()).toBe(desks[role][0])
    expect(await screen.findAllByText(notPermitted)).toHaveLength(1)
  },
)

// S6.home.05
test('an unknown role is redirected to reception, gets the message, and can sign out', async () => {
  const view = open('/dashboard', { ...userOf('pa'), role: 'gardener' })
  expect(await heading('No dashboard for this account')).toBeVisible()
  expect(view.path()).toBe(receptionDesk)
  expect(screen.getByText(notPermitted)).toBeVisible()
  expect(view.office.requests('GET /api/visits/today')).toHaveLength(0)
  await view.person.click(screen.getByRole('button', { name: 'Sign Out' }))
  await waitFor(() => expect(view.path()).toBe('/'))
})

// S4.gate.07, S6.inactive.01
test.each([
  ['isActive false', { isActive: false }],
  ['is_active false', { is_active: false }],
  ['is_active 0', { is_active: 0 as unknown as boolean }],
])('a deactivated account (%s) gets the reason on every route', async (_flag, flag) => {
  const { path, office } = open('/dashboard/admin', userOf('pa', flag))
  expect(await screen.findByText(deactivated)).toBeVisible()
  expect(path()).toBe('/dashboard/admin')
  expect(screen.queryByText(notPermitted)).toBeNull()
  expect(office.requests('GET /api/analytics/dashboard')).toHaveLength(0)
})

test('the screen of a deactivated account goes on by itself when the account is active again', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { office } = open('/dashboard/pa', userOf('pa', { isActive: false }))
  await eventually(() => expect(screen.getByText(deactivated)).toBeVisible())
  const asked = () => office.requests(verification).length
  const before = asked()
  await act(() => vi.advanceTimersByTimeAsync(10_000))
  await eventually(() => expect(asked()).toBeGreaterThan(before))
  expect(screen.getByText(deactivated)).toBeVisible()
  vi.useRealTimers()

  office.state.user = userOf('pa')
  dispatchEvent(new Event('visibilitychange'))
  expect(await heading('PA Dashboard')).toBeVisible()
  expect(screen.queryByText(deactivated)).toBeNull()
})

test('the screen of a person who waits for approval says so, and goes on by itself', async () => {
  const waits = userOf('pa', { isActive: false, awaiting: true })
  const office = openOffice({ user: waits })
  // Only the account says that it waits, not the session.
  office.answer(verification, () => ({ session, user: { ...office.state.user, awaiting: undefined } }))
  const { path } = renderApp('/dashboard')
  expect(await heading('Waiting for approval')).toBeVisible()
  const { brand } = pageOffice()
  const sentence = `An administrator of ${brand} has to let you in. This page goes on by itself.`
  expect(screen.getByText(sentence)).toBeVisible()
  expect(screen.queryByText(deactivated)).toBeNull()
  expect(office.requests('GET /api/visits/today')).toHaveLength(0)

  office.state.user = userOf('consultant', { id: waits.id })
  dispatchEvent(new Event('visibilitychange'))
  expect(await heading('Consultant Dashboard')).toBeVisible()
  expect(path()).toBe('/dashboard/consultant')
  expect(screen.queryByText(notPermitted)).toBeNull()
})

test('a person who waits can return to the sign-in', async () => {
  const { path, person, office } = open('/dashboard', userOf('pa', { isActive: false, awaiting: true }))
  await person.click(await screen.findByRole('button', { name: 'Return to Login' }))
  await waitFor(() => expect(path()).toBe('/login'))
  expect(office.requests('POST /api/auth/sign-out')).toHaveLength(1)
})

test('the screen of a deactivated account asks on after a request that failed', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { office } = open('/dashboard/pa', userOf('pa', { isActive: false }))
  await eventually(() => expect(screen.getByText(deactivated)).toBeVisible())
  const asksAgain = async () => {
    const { length: before } = office.requests(verification)
    await act(() => vi.advanceTimersByTimeAsync(10_000))
    await eventually(() => expect(office.requests(verification).length).toBeGreaterThan(before))
  }
  office.fail(verification)
  await asksAgain()
  // When the second request is sent, the first has failed.
  await asksAgain()
  expect(screen.getByText(deactivated)).toBeVisible()

  office.mend(verification)
  office.state.user = userOf('pa')
  await act(() => vi.advanceTimersByTimeAsync(10_000))
  await eventually(() => expect(screen.getByRole('heading', { name: 'PA Dashboard' })).toBeVisible())
})

test('an account without a flag is active', async () => {
  const { id, email, name, role } = userOf('reception')
  open(receptionDesk, { id, email, name, role })
  expect(await heading('Receptionist Dashboard')).toBeVisible()
})

// S6.inactive.02
test('Return to Login ends the session and opens /login without another message', async () => {
  const { path, person, office } = open('/dashboard/pa', userOf('pa', { isActive: false }))
  await person.click(await screen.findByRole('button', { name: 'Return to Login' }))
  await waitFor(() => expect(path()).toBe('/login'))
  expect(office.requests('POST /api/auth/sign-out')).toHaveLength(1)
  expect(localStorage.getItem(keys.token)).toBeNull()
  expect(screen.queryByText(notAuthenticated)).toBeNull()
})

// S3.user.04, S7.api.02
test("all fields of the account are merged into the session's user", async () => {
  const user = userOf('reception', { name: 'Old Name' })
  const office = openOffice({ user })
  office.answer('GET /api/users/reception-user', () => ({ data: { name: 'New Name', lockedUntil: null } }))
  renderApp(receptionDesk)
  expect(await screen.findByText('New Name')).toBeVisible()
  expect(JSON.parse(localStorage.getItem(keys.user) ?? '')).toEqual({
    ...user,
    name: 'New Name',
    lockedUntil: null,
  })
})

test("if the account cannot be read, the session's user is kept", async () => {
  const office = openOffice({ user: userOf('reception') })
  office.fail('GET /api/users/reception-user', 500)
  renderApp(receptionDesk)
  expect(await heading('Receptionist Dashboard')).toBeVisible()
})

// S4.auth.12-13, S8.error.01
test.each([
  ['the account', 'GET /api/users/reception-user'],
  ['the visits', 'GET /api/visits/today'],
  ['the services', 'GET /api/services'],
])('a 401 for %s clears the token and opens /login with one message', async (_what, call) => {
  const office = openOffice({ user: userOf('reception') })
  office.fail(call, 401)
  const { path } = renderApp(receptionDesk)
  await waitFor(() => expect(path()).toBe('/login'))
  expect(await screen.findAllByText('Unauthorized access')).toHaveLength(1)
  expect(localStorage.getItem(keys.token)).toBeNull()
  expect(localStorage.getItem(keys.user)).toBeNull()
})

test.each([403, 503])('a %d keeps the session and the page', async (status) => {
  const office = openOffice({ user: userOf('reception') })
  office.fail('GET /api/visits/today', status)
  const { path } = renderApp(receptionDesk)
  expect(await screen.findByText('Failed to load dashboard data', { selector: 'p' })).toBeVisible()
  expect(path()).toBe(receptionDesk)
  expect(localStorage.getItem(keys.token)).toBe('token-of-the-session')
})

test.each([
  ['/sign-in/email', 'S4.auth.03'],
  ['/sign-up/email', 'S4.auth.04'],
  ['/sign-out', 'S4.auth.05'],
  ['/logout', 'S4.auth.05'],
  ['/update-user', 'S4.auth.06'],
  ['/sign-in/social', 'S4.auth.07'],
  ['/sign-up/phone', 'S4.auth.07'],
  ['/delete-user', 'S4.auth.08'],
  ['/verify-email', 'S4.auth.09'],
])('the session is refetched after %s (%s)', async (call) => {
  const { office } = open('/dashboard/pa', userOf('pa'))
  expect(await heading('PA Dashboard')).toBeVisible()
  expect(office.requests(verification)).toHaveLength(1)
  office.answer(`POST /api/auth${call}`, () => ({}))
  await authClient.call(call)
  await waitFor(() => expect(office.requests(verification)).toHaveLength(2))
})

test('the refetch finds a session that has ended', async () => {
  const quiet = vi.spyOn(console, 'error')
  const { office, path } = open('/dashboard/pa', userOf('pa'))
  expect(await heading('PA Dashboard')).toBeVisible()
  office.answer('POST /api/auth/delete-user', () => ({ success: true }))
  office.state.user = null
  await authClient.call('/delete-user')
  await waitFor(() => expect(path()).toBe('/login'))
  expect(localStorage.getItem(keys.token)).toBeNull()
  expect(quiet).not.toHaveBeenCalled()
})
