import { mutationOptions } from '@tanstack/react-query'
import { sessionStore } from '@/api/session-store'
import { messages } from '@/messages'
import { authClient, errorOf } from './auth-client'

/**
 * Signs in, and reads no fields of the response. Rejects with the server's message or 'Login failed'. Clears the stored
 * token first: an expired token would take precedence over the cookie of the new session.
 */
export const signIn = mutationOptions({
  mutationKey: ['auth', 'sign-in'],
  mutationFn: async (form: { email: string; password: string }) => {
    sessionStore.clear()
    const { error } = await authClient.signIn(form)
    if (error) throw errorOf(error, messages.auth.signInFailed)
  },
})
