// The unmodified better-auth 1.7 client against a running Baari (S7.auth.01-14, S7.debug.01-06).

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createAuthClient } from 'better-auth/client'

import { Browser, data, mailedLink, newEmail, password, rejected, site } from './desk.ts'

function open() {
  const browser = new Browser()
  return { browser, client: createAuthClient({ baseURL: site, fetchOptions: { customFetchImpl: browser.fetch } }) }
}

async function join(email = newEmail()) {
  const desk = open()
  const made = data(await desk.client.signUp.email({ name: 'Asha', email, password }))
  return { ...desk, email, token: made.token ?? '', user: made.user }
}

test('sign-up begins a session and sign-out ends it', async () => {
  const { client, browser, email, token, user } = await join()
  assert.equal(user.email, email)
  assert.ok(user.createdAt instanceof Date)
  const found = data(await client.getSession())
  assert.equal(found.session.token, token)
  assert.ok(found.session.expiresAt instanceof Date)
  assert.equal(found.user.id, user.id)
  assert.deepEqual(data(await client.signOut()), { success: true })
  assert.deepEqual([...browser.cookies.keys()], ['baari.device'])
  assert.deepEqual(await client.getSession(), { data: null, error: null })
})

test('sign-in answers the cookie and set-auth-token', async () => {
  const { email, user } = await join()
  const { client, browser } = open()
  const answer = data(await client.signIn.email({ email, password, callbackURL: '/dashboard' }))
  assert.deepEqual([answer.redirect, answer.url, answer.user.id], [true, '/dashboard', user.id])
  const header = browser.last?.headers.get('set-auth-token') ?? ''
  assert.equal(browser.cookies.get('better-auth.session_token'), encodeURIComponent(header))
  assert.ok(header.startsWith(`${answer.token}.`))
  data(await client.signIn.email({ email, password, rememberMe: false }))
  assert.ok(browser.cookies.has('better-auth.dont_remember'))
})

test('invalid sign-ups and sign-ins are rejected', async () => {
  const { email } = await join()
  const { client } = open()
  rejected(await client.signUp.email({ name: 'A', email, password }), 422, 'USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL')
  rejected(await client.signUp.email({ name: 'A', email: newEmail(), password: 'short' }), 400, 'PASSWORD_TOO_SHORT')
  rejected(await client.signUp.email({ name: 'A', email: 'asha', password }), 400, 'VALIDATION_ERROR')
  rejected(await client.signIn.email({ email, password: 'wrong password' }), 401, 'INVALID_EMAIL_OR_PASSWORD')
  rejected(await client.signIn.email({ email: newEmail(), password }), 401, 'INVALID_EMAIL_OR_PASSWORD')
  rejected(await client.signIn.email({ email: 'asha', password }), 400, 'INVALID_EMAIL')
  rejected(await client.signIn.email({ email, password, callbackURL: '//evil' }), 403, 'INVALID_CALLBACK_URL')
})

test('get-session accepts the token as a bearer', async () => {
  const { token, user } = await join()
  const { client } = open()
  const found = data(await client.getSession({ fetchOptions: { headers: { authorization: `Bearer ${token}` } } }))
  assert.equal(found.user.id, user.id)
})

test('update-user changes the name', async () => {
  const { client } = await join()
  assert.deepEqual(data(await client.updateUser({ name: 'Asha Verma', image: null })), { status: true })
  assert.equal(data(await client.getSession()).user.name, 'Asha Verma')
  assert.equal((await client.updateUser({})).error?.status, 404)
})

test('sessions are listed and revoked', async () => {
  const { client, email, token } = await join()
  const other = open()
  const second = data(await other.client.signIn.email({ email, password }))
  const list = data(await client.listSessions())
  assert.equal(list.length, 2)
  assert.ok(list.some((one) => one.token === token))
  assert.ok(!list.some((one) => one.token === second.token))
  const handle = list.find((one) => one.token !== token)
  assert.deepEqual(data(await client.revokeSession({ token: handle?.token ?? '' })), { status: true })
  assert.deepEqual(await other.client.getSession(), { data: null, error: null })
  data(await other.client.signIn.email({ email, password }))
  assert.deepEqual(data(await client.revokeOtherSessions()), { status: true })
  assert.deepEqual(await other.client.getSession(), { data: null, error: null })
  assert.deepEqual(data(await client.revokeSessions()), { status: true })
  assert.deepEqual(await client.getSession(), { data: null, error: null })
  rejected(await client.listSessions(), 401, 'UNAUTHORIZED')
})

test('change-password needs the current password', async () => {
  const { client, email, token } = await join()
  const wrong = { currentPassword: 'wrong password', newPassword: 'another phrase' }
  rejected(await client.changePassword(wrong), 400, 'INVALID_PASSWORD')
  const right = { currentPassword: password, newPassword: 'another phrase', revokeOtherSessions: true }
  const changed = data(await client.changePassword(right))
  assert.ok(changed.token && changed.token !== token)
  assert.equal(data(await client.getSession()).session.token, changed.token)
  data(await open().client.signIn.email({ email, password: 'another phrase' }))
})

test('the mailed link changes the address', async () => {
  const { client, email } = await join()
  const next = newEmail()
  rejected(await client.changeEmail({ newEmail: email }), 400, 'Email is the same')
  assert.deepEqual(data(await client.changeEmail({ newEmail: next, callbackURL: '/dashboard' })), { status: true })
  const token = (await mailedLink(next)).searchParams.get('token') ?? ''
  assert.equal(data(await client.getSession()).user.email, email)
  const stranger = open()
  assert.equal((await stranger.client.verifyEmail({ query: { token } })).error, null)
  assert.equal(stranger.browser.cookies.size, 0) // the link creates no session
  assert.equal(data(await client.getSession()).user.email, next)
  rejected(await client.verifyEmail({ query: { token } }), 401, 'USER_NOT_FOUND')
})

test('change-email accepts a password, and the link mailed to the old address stops the change', async () => {
  const { client, email } = await join()
  const next = newEmail()
  rejected(await client.changeEmail({ newEmail: next, ...{ password: 'wrong password' } }), 400, 'INVALID_PASSWORD')
  assert.deepEqual(data(await client.changeEmail({ newEmail: next, ...{ password } })), { status: true })
  const confirmation = (await mailedLink(next)).searchParams.get('token') ?? ''
  const token = (await mailedLink(email)).searchParams.get('token') ?? ''
  assert.deepEqual(data(await open().client.$fetch('/stop-email-change', { method: 'POST', body: { token } })), {
    status: true,
    reverted: false,
  })
  rejected(await client.verifyEmail({ query: { token: confirmation } }), 401, 'INVALID_TOKEN')
  assert.deepEqual(await client.getSession(), { data: null, error: null })
})

test('the mailed link verifies the address', async () => {
  const { client, email } = await join()
  rejected(await client.sendVerificationEmail({ email: newEmail() }), 400, 'EMAIL_MISMATCH')
  assert.deepEqual(data(await client.sendVerificationEmail({ email })), { status: true })
  const token = (await mailedLink(email)).searchParams.get('token') ?? ''
  assert.equal((await client.verifyEmail({ query: { token } })).error, null)
  rejected(await client.sendVerificationEmail({ email }), 400, 'EMAIL_ALREADY_VERIFIED')
  rejected(await client.verifyEmail({ query: { token: 'x' } }), 401, 'INVALID_TOKEN')
})

test('the mailed link sets a password once', async () => {
  const { email, client: before } = await join()
  const { client, browser } = open()
  const asked = data(await client.requestPasswordReset({ email, redirectTo: '/reset-password' }))
  assert.equal(asked.status, true)
  assert.equal(data(await client.requestPasswordReset({ email: newEmail() })).status, true)
  const opened = await browser.fetch(await mailedLink(email))
  assert.equal(opened.status, 302)
  const token = new URL(opened.headers.get('location') ?? '').searchParams.get('token') ?? ''
  rejected(await client.resetPassword({ newPassword: 'short', token }), 400, 'PASSWORD_TOO_SHORT')
  assert.deepEqual(data(await client.resetPassword({ newPassword: 'another phrase', token })), { status: true })
  rejected(await client.resetPassword({ newPassword: 'another phrase', token }), 400, 'INVALID_TOKEN')
  assert.deepEqual(await before.getSession(), { data: null, error: null }) // every session ended
  data(await client.signIn.email({ email, password: 'another phrase' }))
})

test('provider calls report that no provider is configured', async () => {
  const { client, user } = await join()
  const [account] = data(await client.listAccounts())
  assert.deepEqual([account?.accountId, account?.providerId, account?.scopes], [user.id, 'credential', []])
  const accountId = account?.id ?? ''
  rejected(await client.accountInfo({ query: { accountId } }), 400, 'PROVIDER_NOT_CONFIGURED')
  rejected(await client.getAccessToken({ accountId }), 400, 'PROVIDER_NOT_SUPPORTED')
  rejected(await client.refreshToken({ accountId }), 400, 'PROVIDER_NOT_SUPPORTED')
  rejected(await client.getAccessToken({ accountId: 'x' }), 400, 'ACCOUNT_NOT_FOUND')
  rejected(await client.linkSocial({ provider: 'google', callbackURL: '/dashboard' }), 404, 'PROVIDER_NOT_FOUND')
  rejected(await client.unlinkAccount({ accountId }), 400, 'FAILED_TO_UNLINK_LAST_ACCOUNT')
})

test('delete-user deletes the account', async () => {
  const { client, browser, email } = await join()
  rejected(await client.deleteUser({ password: 'wrong password' }), 400, 'INVALID_PASSWORD')
  assert.deepEqual(data(await client.deleteUser({ password })), { success: true, message: 'User deleted' })
  assert.deepEqual([...browser.cookies.keys()], ['baari.device'])
  rejected(await client.signIn.email({ email, password }), 401, 'INVALID_EMAIL_OR_PASSWORD')
  await join(email)
})

test('ok reports that the service is running', async () => {
  const { client } = open()
  assert.deepEqual(data(await client.$fetch('/ok')), { ok: true })
})
