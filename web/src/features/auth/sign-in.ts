import { mutationOptions } from '@tanstack/react-query'
import { sessionStore } from '@/api/session-store'
import { messages } from '@/messages'
import { authClient } from './auth-client'

/**
 * Signs in; the answer's fields are not read. Rejects with the server's message or 'Login failed'.
 * A token of an earlier session goes first: a dead one would hide the cookie that this sign-in sets.
 */
export const signIn = mutationOptions({
  mutationKey: ['auth', 'sign-in'],
  mutationFn: async (form: { email: string; password: string }) => {
    sessionStore.clear()
    const { error } = await authClient.signIn(form)
    if (error) throw new Error(error.message || messages.auth.signInFailed)
  },
})
