import type { debug } from '@/locales/debug'
import type { OfficialClient } from './official-client'

type Texts = typeof debug

export type Field = keyof Texts['fields']
export type Values = Readonly<Record<Field, string>>

export type Call = {
  name: keyof Texts['calls']
  fields: readonly Field[]
  /** Whether the call is irreversible. Then its fields are required, and its button looks dangerous. */
  final?: boolean
  make: (client: OfficialClient, values: Values) => Promise<unknown>
}

export const noValues: Values = {
  email: '',
  password: '',
  name: '',
  newEmail: '',
  currentPassword: '',
  newPassword: '',
  resetToken: '',
  verificationToken: '',
  sessionToken: '',
  accountId: '',
  provider: '',
}

const callbackURL = '/dashboard'
const redirectTo = '/reset-password'

const sessions: Call[] = [
  {
    name: 'signIn',
    fields: ['email', 'password'],
    make: (client, { email, password }) =>
      client.signIn.email({ email, password, callbackURL, rememberMe: true }),
  },
  {
    name: 'signUp',
    fields: ['name', 'email', 'password'],
    make: (client, { name, email, password }) => client.signUp.email({ name, email, password, callbackURL }),
  },
  { name: 'signOut', fields: [], make: (client) => client.signOut() },
  { name: 'getSession', fields: [], make: (client) => client.getSession() },
  { name: 'listSessions', fields: [], make: (client) => client.listSessions() },
  {
    name: 'revokeSession',
    fields: ['sessionToken'],
    make: (client, { sessionToken: token }) => client.revokeSession({ token }),
  },
  { name: 'revokeSessions', fields: [], make: (client) => client.revokeSessions() },
  { name: 'revokeOtherSessions', fields: [], make: (client) => client.revokeOtherSessions() },
]

const account: Call[] = [
  { name: 'updateUser', fields: ['name'], make: (client, { name }) => client.updateUser({ name }) },
  {
    name: 'changeEmail',
    fields: ['newEmail', 'password'],
    // The password field is an addition of our service; the client sends all fields that it is given.
    make: (client, { newEmail, password }) =>
      client.changeEmail({ newEmail, callbackURL, ...(password && { password }) }),
  },
  {
    name: 'changePassword',
    fields: ['currentPassword', 'newPassword'],
    make: (client, { currentPassword, newPassword }) =>
      client.changePassword({ currentPassword, newPassword }),
  },
  {
    name: 'deleteUser',
    fields: ['password'],
    final: true,
    make: (client, { password }) => client.deleteUser({ password }),
  },
]

const mails: Call[] = [
  {
    // The name that better-auth used before version 1.4. The current client has no method for it.
    name: 'forgotPassword',
    fields: ['email'],
    make: (client, { email }) =>
      client.$fetch('/forget-password', { method: 'POST', body: { email, redirectTo } }),
  },
  {
    name: 'requestPasswordReset',
    fields: ['email'],
    make: (client, { email }) => client.requestPasswordReset({ email, redirectTo }),
  },
  {
    name: 'resetPassword',
    fields: ['resetToken', 'newPassword'],
    make: (client, { resetToken: token, newPassword }) => client.resetPassword({ token, newPassword }),
  },
  {
    name: 'sendVerification',
    fields: ['email'],
    make: (client, { email }) => client.sendVerificationEmail({ email, callbackURL }),
  },
  {
    name: 'verifyEmail',
    fields: ['verificationToken'],
    make: (client, { verificationToken: token }) => client.verifyEmail({ query: { token } }),
  },
]

const linked: Call[] = [
  { name: 'listAccounts', fields: [], make: (client) => client.listAccounts() },
  {
    name: 'accountInfo',
    fields: ['accountId'],
    make: (client, { accountId }) => client.accountInfo({ query: { accountId } }),
  },
  {
    name: 'linkSocial',
    fields: ['provider'],
    make: (client, { provider }) => client.linkSocial({ provider, callbackURL }),
  },
  {
    name: 'unlinkAccount',
    fields: ['accountId'],
    make: (client, { accountId }) => client.unlinkAccount({ accountId }),
  },
  {
    name: 'getAccessToken',
    fields: ['accountId'],
    make: (client, { accountId }) => client.getAccessToken({ accountId }),
  },
  {
    name: 'refreshToken',
    fields: ['accountId'],
    make: (client, { accountId }) => client.refreshToken({ accountId }),
  },
]

export const callGroups: readonly { name: keyof Texts['groups']; calls: readonly Call[] }[] = [
  { name: 'sessions', calls: sessions },
  { name: 'account', calls: account },
  { name: 'mails', calls: mails },
  { name: 'linked', calls: linked },
]
