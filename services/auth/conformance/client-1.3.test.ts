// The unmodified better-auth 1.3 client against a running Baari.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createAuthClient } from 'better-auth-1.3/client'

import { Browser, data, mailedLink, newEmail, password, rejected, site } from './desk.ts'

function open() {
  const browser = new Browser()
  return createAuthClient({ baseURL: site, fetchOptions: { customFetchImpl: browser.fetch } })
}

async function join() {
  const client = open()
  const email = newEmail()
  data(await client.signUp.email({ name: 'Asha', email, password }))
  return { client, email }
}

test('a user signs up, in and out', async () => {
  const { client, email } = await join()
  data(await client.signIn.email({ email, password }))
  assert.equal(data(await client.getSession()).user.email, email)
  data(await client.signOut())
  assert.equal((await client.getSession()).data, null)
})

test('forget-password mails a link that sets a password', async () => {
  const { client, email } = await join()
  assert.deepEqual(data(await client.forgetPassword({ email, redirectTo: '/reset-password' })), { status: true })
  const token = (await mailedLink(email)).pathname.split('/').at(-1) ?? ''
  assert.deepEqual(data(await client.resetPassword({ newPassword: 'another phrase', token })), { status: true })
})

test('accounts are identified by their provider', async () => {
  const { client } = await join()
  rejected(await client.accountInfo({ accountId: 'x' }), 400, 'ACCOUNT_NOT_FOUND')
  rejected(await client.getAccessToken({ providerId: 'google' }), 400, 'PROVIDER_GOOGLE_IS_NOT_SUPPORTED')
  rejected(await client.refreshToken({ providerId: 'google' }), 400, 'PROVIDER_GOOGLE_IS_NOT_SUPPORTED')
  rejected(await client.unlinkAccount({ providerId: 'credential' }), 400, 'FAILED_TO_UNLINK_LAST_ACCOUNT')
})

test('sessions are listed and revoked; name, password and account are changed', async () => {
  const { client, email } = await join()
  assert.equal(data(await client.listSessions()).length, 1)
  assert.deepEqual(data(await client.updateUser({ name: 'Asha Verma' })), { status: true })
  const change = { currentPassword: password, newPassword: 'another phrase', revokeOtherSessions: true }
  data(await client.changePassword(change))
  assert.deepEqual(data(await client.changeEmail({ newEmail: newEmail() })), { status: true })
  assert.deepEqual(data(await client.sendVerificationEmail({ email })), { status: true })
  assert.equal(data(await client.deleteUser({ password: 'another phrase' })).success, true)
})
