import { screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test, vi } from 'vitest'
import type { User } from '@/api/session-store'
import type { Role } from '@/api/types'
import { keys } from '@/storage'
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

const heading = (name: string) => screen.findByRole('heading', { name })

test('while the session is verified there is neither a dashboard nor a redirect (S4.auth.02, S4.gate.01)', async () => {
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
])('a stranger at %s is sent to /login with the reason, once (S6.guard.01, %s)', async (path) => {
  const view = open(path, null)
  await waitFor(() => expect(view.path()).toBe('/login'))
  expect(await screen.findAllByText(notAuthenticated)).toHaveLength(1)
  expect(screen.queryByText('Authentication Error')).toBeNull()
})

const session = { id: 's', token: 't', userId: 'pa-user', expiresAt: '2026-11-27T00:00:00.000Z' }

test.each([
  ['a session without a user', { session, user: null }],
  ['a user without a session', { session: null, user: userOf('pa') }],
])('%s counts as signed out, and the stored data are deleted (S4.auth.01)', async (_what, answer) => {
  const office = openOffice({ user: userOf('pa') })
  office.answer(verification, () => answer)
  const { path } = renderApp('/dashboard/pa')
  await waitFor(() => expect(path()).toBe('/login'))
  expect(localStorage.getItem(keys.token)).toBeNull()
})

test.each([
  ['a failing server', () => HttpResponse.json({ message: 'no' }, { status: 503 })],
  ['a network that is away', () => HttpResponse.error()],
  ['an answer without a body', () => new HttpResponse(null, { status: 200 })],
])(
  '%s shows Authentication Error, and Retry leads on (S4.gate.02-03, S8.toast.04)',
  async (_what, answer) => {
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
  },
)

test('a verification that asks for a sign-in leads to /login instead (S4.gate.04)', async () => {
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

test.each(roles)(
  '%s opens the own dashboard, an admin each (S2.layout.18, S2.route.07, S2.route.09, S2.route.11, S2.route.13)',
  async (role) => {
    const [path, title] = desks[role]
    const own = open(path, userOf(role))
    expect(await heading(title)).toBeVisible()
    own.unmount()
    const admin = open(path, userOf('admin'))
    expect(await heading(title)).toBeVisible()
    expect(admin.path()).toBe(path)
  },
)

const strangers = roles.flatMap((role) =>
  roles.filter((desk) => role !== 'admin' && desk !== role).map((desk) => [role, desk] as const),
)

test.each(strangers)(
  '%s is sent from the dashboard of %s to the own one with the reason (S2.route.08, S2.route.10, S2.route.12, S2.route.14, S4.gate.06, S6.guard.02)',
  async (role, desk) => {
    const view = open(desks[desk][0], userOf(role))
    expect(await heading(desks[role][1])).toBeVisible()
    expect(view.path()).toBe(desks[role][0])
    expect(await screen.findAllByText(notPermitted)).toHaveLength(1)
  },
)

test('an unknown role ends at reception with the message, and can sign out (S6.home.05)', async () => {
  const view = open('/dashboard', { ...userOf('pa'), role: 'gardener' })
  expect(await heading('No dashboard for this account')).toBeVisible()
  expect(view.path()).toBe(receptionDesk)
  expect(screen.getByText(notPermitted)).toBeVisible()
  expect(view.office.asked('GET /api/visits/today')).toHaveLength(0)
  await view.person.click(screen.getByRole('button', { name: 'Sign Out' }))
  await waitFor(() => expect(view.path()).toBe('/'))
})

test.each([
  ['isActive false', { isActive: false }],
  ['is_active false', { is_active: false }],
  ['is_active 0', { is_active: 0 as unknown as boolean }],
])(
  'a deactivated account (%s) sees why, whatever the route (S4.gate.07, S6.inactive.01)',
  async (_flag, flag) => {
    const { path, office } = open('/dashboard/admin', userOf('pa', flag))
    expect(await screen.findByText(deactivated)).toBeVisible()
    expect(path()).toBe('/dashboard/admin')
    expect(screen.queryByText(notPermitted)).toBeNull()
    expect(office.asked('GET /api/analytics/dashboard')).toHaveLength(0)
  },
)

test('an account without a flag is active', async () => {
  const { id, email, name, role } = userOf('reception')
  open(receptionDesk, { id, email, name, role })
  expect(await heading('Receptionist Dashboard')).toBeVisible()
})

test('Return to Login ends the session and leads to /login, without another message (S6.inactive.02)', async () => {
  const { path, person, office } = open('/dashboard/pa', userOf('pa', { isActive: false }))
  await person.click(await screen.findByRole('button', { name: 'Return to Login' }))
  await waitFor(() => expect(path()).toBe('/login'))
  expect(office.asked('POST /api/auth/sign-out')).toHaveLength(1)
  expect(localStorage.getItem(keys.token)).toBeNull()
  expect(screen.queryByText(notAuthenticated)).toBeNull()
})

test("the account's own fields are merged into the session's user, further ones too (S3.user.04, S7.api.02)", async () => {
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

test('an account that cannot be read leaves the user as the session has it', async () => {
  const office = openOffice({ user: userOf('reception') })
  office.fail('GET /api/users/reception-user', 500)
  renderApp(receptionDesk)
  expect(await heading('Receptionist Dashboard')).toBeVisible()
})

test.each([
  ['the account', 'GET /api/users/reception-user'],
  ['the visits', 'GET /api/visits/today'],
  ['the services', 'GET /api/services'],
])(
  'a 401 for %s clears the token and leads to /login, said once (S4.auth.12-13, S8.error.01)',
  async (_what, call) => {
    const office = openOffice({ user: userOf('reception') })
    office.fail(call, 401)
    const { path } = renderApp(receptionDesk)
    await waitFor(() => expect(path()).toBe('/login'))
    expect(await screen.findAllByText('Unauthorized access')).toHaveLength(1)
    expect(localStorage.getItem(keys.token)).toBeNull()
    expect(localStorage.getItem(keys.user)).toBeNull()
  },
)

test.each([403, 503])('a %d leaves the session and the page as they are', async (status) => {
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
])('the session is fetched again after %s (%s)', async (call) => {
  const { office } = open('/dashboard/pa', userOf('pa'))
  expect(await heading('PA Dashboard')).toBeVisible()
  expect(office.asked(verification)).toHaveLength(1)
  office.answer(`POST /api/auth${call}`, () => ({}))
  await authClient.call(call)
  await waitFor(() => expect(office.asked(verification)).toHaveLength(2))
})

test('a session that ended in the meantime is noticed by that fetch', async () => {
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
