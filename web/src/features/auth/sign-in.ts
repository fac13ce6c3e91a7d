import { mutationOptions } from '@tanstack/react-query'
import { sessionStore } from '@/api/session-store'
import { messages } from '@/messages'
import { authClient, errorOf } from './auth-client'

/**
 * Signs in; the response's fields are not read. Rejects with the server's message or 'Login failed'.
 * Clears the previous token first: an expired one would take precedence over the new session's cookie.
 */
export const signIn = mutationOptions({
  mutationKey: ['auth', 'sign-in'],
  mutationFn: async (form: { email: string; password: string }) => {
    sessionStore.clear()
    const { error } = await authClient.signIn(form)
    if (error) throw errorOf(error, messages.auth.signInFailed)
  },
})
