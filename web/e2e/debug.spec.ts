import type { Page } from '@playwright/test'
import { provoke } from './faults'
import { linkInMailTo } from './mail'
import { newUser, register } from './new-users'
import { expect, test } from './test'

/**
 * Fills in the form of a request and presses its button. Waits until the page shows the request, the status and a part
 * of the answer.
 */
async function make(
  page: Page,
  name: string,
  values: Record<string, string>,
  call: string,
  status: number,
  answer: string | RegExp = '',
) {
  const form = page.getByRole('form', { name, exact: true })
  for (const [label, value] of Object.entries(values)) await form.getByLabel(label).fill(value)
  await form.getByRole('button', { name, exact: true }).click()
  const shown = form.getByRole('status')
  await expect(shown).toContainText(call)
  await expect(shown).toContainText(String(status))
  await expect(shown).toContainText(answer)
  await expect(page).toHaveURL('/debug')
  return shown
}

// S2.debug.01-17, S2.route.04, S7.debug.01-06
test('every button of the debugging screen makes its call', async ({ page }) => {
  test.slow() // some thirty calls, one after the other
  // A session may end between the request for the session and the request for its account.
  provoke(page, /^40[0-4] (GET|POST) \/api\/auth\//, /^401 GET \/api\/users\//)
  const pa = newUser()
  const { name, email, password } = pa
  await register(page, pa, 'PA (Personal Assistant)')
  await page.goto('/debug')
  await expect(page.getByRole('status', { name: 'API health' })).toContainText('Good')
  const signIn = (secret: string) =>
    make(page, 'Sign in', { Email: email, Password: secret }, 'POST /api/auth/sign-in/email', 200)

  await signIn(password)
  await expect(page.getByText(`Signed in as ${email} (pa)`)).toBeVisible()
  await make(page, 'Get session', {}, 'GET /api/auth/get-session', 200, email)
  await make(page, 'List sessions', {}, 'GET /api/auth/list-sessions', 200, '"expiresAt"')
  await make(page, 'Update user', { Name: `${name} Rao` }, 'POST /api/auth/update-user', 200)

  const listed = await make(page, 'List accounts', {}, 'GET /api/auth/list-accounts', 200, 'credential')
  const id = /"id": "(\w{32})"/.exec((await listed.textContent()) ?? '')?.[1] ?? ''
  const account = { 'Account id': id }
  await make(page, 'Account info', account, 'GET /api/auth/account-info', 400, 'PROVIDER_NOT_CONFIGURED')
  await make(
    page,
    'Get access token',
    account,
    'POST /api/auth/get-access-token',
    400,
    'PROVIDER_NOT_SUPPORTED',
  )
  await make(page, 'Refresh token', account, 'POST /api/auth/refresh-token', 400, 'PROVIDER_NOT_SUPPORTED')
  await make(
    page,
    'Link social',
    { Provider: 'google' },
    'POST /api/auth/link-social',
    404,
    'PROVIDER_NOT_FOUND',
  )
  await make(
    page,
    'Unlink account',
    account,
    'POST /api/auth/unlink-account',
    400,
    'FAILED_TO_UNLINK_LAST_ACCOUNT',
  )

  const to = { Email: email }
  await make(page, 'Send verification', to, 'POST /api/auth/send-verification-email', 200)
  const verification = new URL(await linkInMailTo(email)).searchParams.get('token') ?? ''
  await make(page, 'Verify email', { 'Verification token': verification }, 'GET /api/auth/verify-email', 200)
  await make(
    page,
    'Send verification',
    to,
    'POST /api/auth/send-verification-email',
    400,
    'EMAIL_ALREADY_VERIFIED',
  )
  await make(page, 'Change email', { 'New email': `new-${email}` }, 'POST /api/auth/change-email', 200)
  await linkInMailTo(`new-${email}`)
  await make(page, 'Request password reset', to, 'POST /api/auth/request-password-reset', 200)
  const first = await linkInMailTo(email, resetPath)
  await make(page, 'Forgot password', to, 'POST /api/auth/forget-password', 200)
  // Only the newest link is valid.
  await make(page, 'Reset password', await resetOf(email, first), 'POST /api/auth/reset-password', 200)
  await signIn('okra-velvet-71')
  const changed = { 'Current password': 'okra-velvet-71', 'New password': 'third-velvet-9' }
  await make(page, 'Change password', changed, 'POST /api/auth/change-password', 200)

  await make(page, 'Revoke session', { 'Session token': 'unknown' }, 'POST /api/auth/revoke-session', 200)
  await make(page, 'Revoke other sessions', {}, 'POST /api/auth/revoke-other-sessions', 200)
  await expect(page.getByText(`Signed in as ${email} (pa)`)).toBeVisible()
  await make(page, 'Revoke sessions', {}, 'POST /api/auth/revoke-sessions', 200)
  await expect(page.getByText('Not signed in')).toBeVisible()

  await signIn('third-velvet-9')
  await make(page, 'Sign out', {}, 'POST /api/auth/sign-out', 200)
  await expect(page.getByText('Not signed in')).toBeVisible()
  await signIn('third-velvet-9')
  await make(
    page,
    'Delete user',
    { Password: 'third-velvet-9' },
    'POST /api/auth/delete-user',
    200,
    'User deleted',
  )
  await expect(page.getByText('Not signed in')).toBeVisible()
  const again = { Name: name, Email: email, Password: password }
  await make(page, 'Sign up', again, 'POST /api/auth/sign-up/email', 200)
  await expect(page.getByText(`Signed in as ${email} (reception)`)).toBeVisible()
})

const resetPath = '/reset-password/'

/** Waits for a reset mail after the one with the link `before`. Returns its token, and the password to set with it. */
async function resetOf(email: string, before: string) {
  const link = new URL(await linkInMailTo(email, resetPath, before))
  return { 'Reset token': link.pathname.split('/').at(-1) ?? '', 'New password': 'okra-velvet-71' }
}
