import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { keys } from '@/storage'
import { dialogOf } from '@/test/dialog-of'
import { userOf } from '@/test/fixtures'
import { openOffice } from '@/test/office'
import { renderApp } from '@/test/render-app'

const user = userOf('pa')

async function openProfile() {
  const office = openOffice({ user })
  const view = renderApp('/dashboard/pa')
  await view.person.click(await screen.findByRole('button', { name: /Profile$/ }))
  const dialog = await dialogOf('Profile')
  return { office, dialog, press: pressIn(view.person, dialog), ...view }
}

type Person = ReturnType<typeof renderApp>['person']

const pressIn = (person: Person, dialog: HTMLElement) => (name: string) =>
  person.click(within(dialog).getByRole('button', { name }))

// S2.layout.01, S2.layout.03-07, S2.layout.09
test('the top bar opens a dialog with name, email and role', async () => {
  const { dialog } = await openProfile()
  const shown = [...dialog.querySelectorAll('dd')].map(({ textContent }) => textContent)
  expect(shown).toEqual(['Rekha', 'pa@lekha.example', 'PA (Personal Assistant)'])
  for (const name of ['Account Settings', 'Edit Profile', 'Sign Out']) {
    expect(within(dialog).getByRole('button', { name })).toBeEnabled()
  }
})

// S2.layout.10, S4.auth.06
test('a changed name is sent, saved and shown', async () => {
  const { office, press, person } = await openProfile()
  office.answer('POST /api/auth/update-user', () => {
    office.state.user = { ...user, name: 'Rekha Rao' }
    return { status: true }
  })
  await press('Edit Profile')
  const form = await dialogOf('Edit Profile')
  const name = within(form).getByLabelText('Name')
  expect(name).toHaveValue('Rekha')
  await person.clear(name)
  await person.type(name, ' Rekha Rao ')
  await pressIn(person, form)('Save')
  expect(await screen.findByText('Profile saved')).toBeInTheDocument()
  expect(office.requests('POST /api/auth/update-user')[0]?.body).toEqual({ name: 'Rekha Rao' })
  await waitFor(() => expect(screen.getByRole('banner')).toHaveTextContent('Rekha Rao'))
  expect(JSON.parse(localStorage.getItem(keys.user) ?? '')).toMatchObject({ name: 'Rekha Rao' })
})

test('a name that was not saved stays in the form, with the reason', async () => {
  const { office, press, person } = await openProfile()
  office.fail('POST /api/auth/update-user', 400, { message: 'Name is too long' })
  await press('Edit Profile')
  const form = await dialogOf('Edit Profile')
  await pressIn(person, form)('Save')
  expect(await screen.findByText('Failed to save profile')).toBeInTheDocument()
  expect(screen.getByText('Name is too long')).toBeInTheDocument()
  expect(form).not.toHaveClass('ant-zoom-leave')
})

const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/142.0.0.0 Safari/537.36'
const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 Version/26.0 Mobile/15E148 Safari/604.1'

const sessionOf = (token: string, userAgent: string, createdAt: string, updatedAt: string) => ({
  id: `id of ${token}`,
  token,
  userId: user.id,
  expiresAt: '2026-11-28T04:00:00.000Z',
  createdAt,
  updatedAt,
  ipAddress: '203.0.113.7',
  userAgent,
})

const here = sessionOf(
  'token-of-the-session',
  windows,
  '2026-11-20T04:00:00.000Z',
  '2026-11-20T04:00:00.000Z',
)
const onPhone = sessionOf('handle', iPhone, '2026-11-18T09:05:00.000Z', '2026-11-19T09:05:00.000Z')

const listed = 'GET /api/auth/list-sessions'

async function openSettings(prepare?: (office: ReturnType<typeof openOffice>) => void) {
  const view = await openProfile()
  view.office.answer(listed, () => [onPhone, here])
  prepare?.(view.office)
  await view.press('Account Settings')
  const settings = await dialogOf('Account Settings')
  return { ...view, settings, change: pressIn(view.person, settings) }
}

test.each([
  [400, 'INVALID_PASSWORD', 'The password is not right'],
  [403, 'SESSION_NOT_FRESH', 'Please enter your password to change your email'],
])('a rejected change of email (%s %s) shows what to do', async (status, code, sentence) => {
  const { office, settings, change, person } = await openSettings()
  office.fail('POST /api/auth/change-email', status, { message: 'Rejected', code })
  await person.type(within(settings).getByLabelText('New email'), 'rao@lekha.example')
  await change('Change Email')
  await waitFor(() =>
    expect(within(settings).getByLabelText('Your password')).toHaveAccessibleDescription(
      'Password is required',
    ),
  )
  expect(office.requests('POST /api/auth/change-email')).toHaveLength(0)
  await person.type(within(settings).getByLabelText('Your password'), 'secret')
  await change('Change Email')
  expect(await screen.findByText(sentence)).toBeInTheDocument()
})

test('a new email is sent without the spaces and the characters that are not seen around it', async () => {
  const { office, settings, change, person } = await openSettings()
  office.answer('POST /api/auth/change-email', () => ({ status: true }))
  await person.click(within(settings).getByLabelText('New email'))
  await person.paste('\u202arao@lekha.example\u00a0 ')
  await person.type(within(settings).getByLabelText('Your password'), 'secret')
  await change('Change Email')
  await waitFor(() =>
    expect(office.requests('POST /api/auth/change-email')[0]?.body).toMatchObject({
      newEmail: 'rao@lekha.example',
    }),
  )
})

// S2.layout.08
test('the account settings change email and password and end other sessions', async () => {
  const { office, settings, change, person } = await openSettings()
  for (const call of ['change-email', 'change-password', 'revoke-other-sessions']) {
    office.answer(`POST /api/auth/${call}`, () => ({ status: true }))
  }
  await person.type(within(settings).getByLabelText('New email'), 'rao@lekha.example')
  await person.type(within(settings).getByLabelText('Your password'), 'secret')
  await change('Change Email')
  expect(
    await screen.findByText('Open the link that we sent to rao@lekha.example to finish the change.'),
  ).toBeInTheDocument()
  expect(office.requests('POST /api/auth/change-email')[0]?.body).toEqual({
    newEmail: 'rao@lekha.example',
    password: 'secret',
    callbackURL: '/dashboard',
  })

  expect(within(settings).getByLabelText('Your password')).toHaveValue('')

  await change('End all other sessions')
  expect(await screen.findByText('All other sessions have ended')).toBeInTheDocument()

  await person.type(within(settings).getByLabelText('Current password'), 'secret')
  await person.type(within(settings).getByLabelText('New password'), 'secret2')
  await change('Change Password')
  expect(await screen.findByText('Password changed')).toBeInTheDocument()
  expect(office.requests('POST /api/auth/change-password')[0]?.body).toEqual({
    currentPassword: 'secret',
    newPassword: 'secret2',
    revokeOtherSessions: true,
  })
})

test('every session is listed, this device first, and each other one can be ended', async () => {
  const { office, settings, change } = await openSettings()
  const devices = await within(settings).findAllByRole('listitem')
  expect(devices.map(({ textContent }) => textContent)).toEqual([
    'Chrome on WindowsThis deviceSigned in 20 Nov 2026, 9:30 AMActive now203.0.113.7',
    'Safari on iOSSigned in 18 Nov 2026, 2:35 PMLast active 19 Nov 2026, updated once a day203.0.113.7End',
  ])

  office.answer('POST /api/auth/revoke-session', () => {
    office.answer(listed, () => [here])
    return { status: true }
  })
  await change('End session of Safari on iOS, signed in 18 Nov 2026, 2:35 PM')
  expect(await screen.findByText('Session ended')).toBeInTheDocument()
  expect(office.requests('POST /api/auth/revoke-session')[0]?.body).toEqual({ token: 'handle' })
  expect(await within(settings).findByText('No other devices are signed in.')).toBeInTheDocument()
  expect(within(settings).getAllByRole('listitem')).toHaveLength(1)
  expect(within(settings).queryByRole('button', { name: 'End all other sessions' })).toBeNull()
})

test('a session older than a day gets the reason instead of the list and can end the others', async () => {
  const { settings, change, path } = await openSettings((office) =>
    office.fail(listed, 403, { code: 'SESSION_NOT_FRESH', message: 'Session is not fresh' }),
  )
  expect(await within(settings).findByText(/^Devices are shown for one day/)).toBeInTheDocument()
  expect(within(settings).getByRole('button', { name: 'End all other sessions' })).toBeEnabled()
  await change('Sign In Again')
  await waitFor(() => expect(path()).toBe('/login'))
})

test('a list of devices that failed to load can be loaded again', async () => {
  const { office, settings, change } = await openSettings((one) => one.fail(listed))
  expect(await within(settings).findByText('Failed to load sessions')).toBeInTheDocument()
  office.mend(listed)
  await change('Try again')
  expect(await within(settings).findAllByRole('listitem')).toHaveLength(2)
})

// S3.storage.03, S4.theme.01-02
test('the theme can be chosen in the account settings', async () => {
  const { settings, person } = await openSettings()
  await person.click(within(settings).getByText('Dark'))
  expect(document.documentElement).toHaveAttribute('data-theme', 'dark')
  expect(localStorage.getItem('ui-theme')).toBe('dark')
  await person.click(within(settings).getByText('Light'))
  expect(document.documentElement).toHaveAttribute('data-theme', 'light')
})

// S2.layout.11-12
test('Sign Out ends the session and opens / without a message', async () => {
  const { office, press, path } = await openProfile()
  await press('Sign Out')
  await waitFor(() => expect(path()).toBe('/'))
  expect(office.requests('POST /api/auth/sign-out')).toHaveLength(1)
  expect(localStorage.getItem(keys.token)).toBeNull()
  expect(localStorage.getItem(keys.user)).toBeNull()
  expect(screen.queryByText(/You are not authenticated/)).toBeNull()
})

test('a failed sign-out keeps the page and the session', async () => {
  const { office, press, path } = await openProfile()
  office.fail('POST /api/auth/sign-out')
  await press('Sign Out')
  expect(await screen.findByText('Failed to sign out')).toBeInTheDocument()
  expect(path()).toBe('/dashboard/pa')
  expect(localStorage.getItem(keys.token)).toBe('token-of-the-session')
})
