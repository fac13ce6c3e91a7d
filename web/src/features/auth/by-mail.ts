import { mutationOptions } from '@tanstack/react-query'
import { messages } from '@/messages'
import { authClient, errorOf, succeed } from './auth-client'

/** Sends a password reset link to an address, if it has an account. */
export const requestPasswordReset = mutationOptions({
  mutationKey: ['auth', 'request-password-reset'],
  mutationFn: (email: string) => succeed(authClient.requestPasswordReset(email)),
  meta: { failure: messages.forgotPassword.failed },
})

/** Sets a new password with the token of a reset link. Resolves with false when the link has expired. */
export const resetPassword = mutationOptions({
  mutationKey: ['auth', 'reset-password'],
  mutationFn: async (form: { newPassword: string; token: string }) => {
    const { error } = await authClient.resetPassword(form)
    if (error && error.code !== 'INVALID_TOKEN') throw errorOf(error)
    return error === null
  },
  meta: { failure: messages.resetPassword.failed },
})

/**
 * Stops a change of address, with the token of the mail that was sent to the old address. Resolves with the result,
 * which is 'ended' when the link is no longer valid.
 */
export const stopEmailChange = mutationOptions({
  mutationKey: ['auth', 'stop-email-change'],
  mutationFn: async (token: string) => {
    const { data, error } = await authClient.stopEmailChange(token)
    if (error?.code === 'INVALID_TOKEN') return 'ended'
    if (error) throw errorOf(error)
    return data.reverted ? 'reverted' : 'stopped'
  },
  meta: { failure: messages.stopEmailChange.failed },
})
