import { mutationOptions, queryOptions, type QueryClient } from '@tanstack/react-query'
import { Fault } from '@/api/fault'
import { messages } from '@/messages'
import { authClient, type AuthResult } from './auth-client'

async function succeed(result: Promise<AuthResult<unknown>>) {
  const { error } = await result
  if (error) throw new Error(error.message || messages.request.failed)
}

/** Changes the signed-in person's name. */
export const updateProfile = mutationOptions({
  mutationKey: ['auth', 'update-profile'],
  mutationFn: (fields: { name: string }) => succeed(authClient.updateUser(fields)),
  meta: { success: messages.profile.saved, failure: messages.profile.saveFailed },
})

/** Sends a link to the new address; the address changes when the link is opened. */
export const changeEmail = mutationOptions({
  mutationKey: ['auth', 'change-email'],
  mutationFn: (newEmail: string) => succeed(authClient.changeEmail(newEmail)),
  meta: { failure: messages.settings.emailFailed },
})

export type PasswordChange = { currentPassword: string; newPassword: string; revokeOtherSessions: boolean }

/** Changes the password. Ending the other sessions makes a new one here as well. */
export const changePassword = mutationOptions({
  mutationKey: ['auth', 'change-password'],
  mutationFn: (form: PasswordChange) => succeed(authClient.changePassword(form)),
  meta: { success: messages.settings.passwordChanged, failure: messages.settings.passwordFailed },
})

/** This person's sessions on all devices; null when this one is too old to be shown them. */
export const sessionsQuery = queryOptions({
  queryKey: ['auth', 'sessions'],
  queryFn: async () => {
    const { data, error } = await authClient.listSessions()
    if (error?.code === 'SESSION_NOT_FRESH') return null
    if (error) throw new Fault(error.message || messages.request.failed, { status: error.status })
    return data
  },
  // Nothing tells of a session that began elsewhere: whoever looks is told what is true then.
  staleTime: 0,
  gcTime: 0,
})

const readSessionsAgain = ({ client }: { client: QueryClient }) =>
  client.invalidateQueries({ queryKey: sessionsQuery.queryKey })

/** Ends one other session of this person, by the token that the list gave for it. */
export const endSession = mutationOptions({
  mutationKey: ['auth', 'end-session'],
  mutationFn: (token: string) => succeed(authClient.revokeSession(token)),
  onSettled: (_answer, _error, _token, _onMutateResult, context) => readSessionsAgain(context),
  meta: { success: messages.settings.devices.ended, failure: messages.settings.devices.endFailed },
})

/** Ends every other session of this person. */
export const endOtherSessions = mutationOptions({
  mutationKey: ['auth', 'end-other-sessions'],
  mutationFn: () => succeed(authClient.revokeOtherSessions()),
  onSettled: (_answer, _error, _nothing, _onMutateResult, context) => readSessionsAgain(context),
  meta: { success: messages.settings.sessionsEnded, failure: messages.settings.sessionsFailed },
})

/** Sends a link for a new password to an address, if there is an account with it. */
export const requestPasswordReset = mutationOptions({
  mutationKey: ['auth', 'request-password-reset'],
  mutationFn: (email: string) => succeed(authClient.requestPasswordReset(email)),
  meta: { failure: messages.forgotPassword.failed },
})

/** Sets a new password by the token of such a link. Resolves with false when the link does not work any more. */
export const resetPassword = mutationOptions({
  mutationKey: ['auth', 'reset-password'],
  mutationFn: async (form: { newPassword: string; token: string }) => {
    const { error } = await authClient.resetPassword(form)
    if (error && error.code !== 'INVALID_TOKEN') throw new Error(error.message || messages.request.failed)
    return error === null
  },
  meta: { failure: messages.resetPassword.failed },
})
