import { mutationOptions, queryOptions, type QueryClient } from '@tanstack/react-query'
import { Fault } from '@/api/fault'
import { renewAfter } from '@/api/renew'
import { keepLanguage } from '@/language'
import type { Language } from '@/locales/languages'
import { messages } from '@/staff-messages'
import { authClient, errorOf, succeed } from './auth-client'
import { reload } from '@/load-anew'

/** Changes the signed-in person's name. */
export const updateProfile = mutationOptions({
  mutationKey: ['auth', 'update-profile'],
  mutationFn: (fields: { name: string }) => succeed(authClient.updateUser(fields)),
  meta: { success: messages.profile.saved, failure: messages.profile.saveFailed },
})

/** Changes the language of the signed-in person, and of this browser: the page loads again in the new language. */
export const changeLanguage = mutationOptions({
  mutationKey: ['auth', 'change-language'],
  mutationFn: (language: Language) => succeed(authClient.updateUser({ language })),
  onSuccess: (_answer, language) => {
    keepLanguage(language)
    reload()
  },
  meta: { failure: messages.language.failed },
})

const emailRejections: Partial<Record<string, string>> = messages.settings.emailRejected

/** Sends a link to the new address; the address changes when the link is opened. */
export const changeEmail = mutationOptions({
  mutationKey: ['auth', 'change-email'],
  mutationFn: async (form: { newEmail: string; password: string }) => {
    const { error } = await authClient.changeEmail(form)
    if (error) throw errorOf({ ...error, message: emailRejections[error.code ?? ''] ?? error.message })
  },
  meta: { failure: messages.settings.emailFailed },
})

export type PasswordChange = { currentPassword: string; newPassword: string; revokeOtherSessions: boolean }

/** Changes the password. Revoking the other sessions replaces this session as well. */
export const changePassword = mutationOptions({
  mutationKey: ['auth', 'change-password'],
  mutationFn: (form: PasswordChange) => succeed(authClient.changePassword(form)),
  meta: { success: messages.settings.passwordChanged, failure: messages.settings.passwordFailed },
})

/** The user's sessions on all devices; null when this session is too old to list them. */
export const sessionsQuery = queryOptions({
  queryKey: ['auth', 'sessions'],
  queryFn: async () => {
    const { data, error } = await authClient.listSessions()
    if (error?.code === 'SESSION_NOT_FRESH') return null
    if (error) throw new Fault(error.message || messages.request.failed, { status: error.status })
    return data
  },
  // Sessions that begin elsewhere publish no event, so the list is refetched each time it opens.
  staleTime: 0,
  gcTime: 0,
})

const readSessionsAgain = ({ client }: { client: QueryClient }) =>
  client.invalidateQueries({ queryKey: sessionsQuery.queryKey })

/** Revokes one other session of the user, by the token from the list. */
export const endSession = mutationOptions({
  mutationKey: ['auth', 'end-session'],
  mutationFn: (token: string) => succeed(authClient.revokeSession(token)),
  onSettled: (_answer, error, _token, _onMutateResult, context) =>
    renewAfter(error, readSessionsAgain(context)),
  meta: { success: messages.settings.browsers.ended, failure: messages.settings.browsers.endFailed },
})

export const endOtherSessions = mutationOptions({
  mutationKey: ['auth', 'end-other-sessions'],
  mutationFn: () => succeed(authClient.revokeOtherSessions()),
  onSettled: (_answer, error, _nothing, _onMutateResult, context) =>
    renewAfter(error, readSessionsAgain(context)),
  meta: { success: messages.settings.sessionsEnded, failure: messages.settings.sessionsFailed },
})
