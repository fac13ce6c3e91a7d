import { mutationOptions } from '@tanstack/react-query'
import { api, payload } from '@/api/client'
import { sessionStore } from '@/api/session-store'
import type { Role } from '@/api/types'
import { messages } from '@/messages'
import { authClient, errorOf } from './auth-client'

export type Registration = { name: string; email: string; password: string; role: Role }

/**
 * Creates an account and sets its role. Resolves with whether the user directory accepted the account as well. Rejects
 * with the server's message, or a general one, when no account was created, or when the role could not be set.
 */
export const register = mutationOptions({
  mutationKey: ['auth', 'register'],
  mutationFn: async ({ role, ...form }: Registration) => {
    sessionStore.clear()
    const { error } = await authClient.signUp(form)
    if (error) throw errorOf(error, messages.auth.registrationFailed)
    await setRole(role)
    return { listed: await list(form.name, form.email, role) }
  },
})

async function setRole(role: Role) {
  const { data: signedUp } = await authClient.getSession()
  if (!signedUp?.session || !signedUp.user) throw new Error(messages.auth.roleFailed)
  sessionStore.save(signedUp.session.token, signedUp.user)
  const answer = await payload(
    api.PUT('/api/users/{id}', {
      params: { path: { id: signedUp.user.id } },
      body: { role, isActive: true, is_active: true },
    }),
  )
  if (!isData(answer.data)) throw new Error(messages.auth.roleFailed)
}

/** The API document guarantees data; an older or foreign server may not send it. */
const isData = (data: unknown) => typeof data === 'object' && data !== null

/** Adds the account to the user directory. Resolves with whether this succeeded. */
async function list(name: string, email: string, role: Role) {
  try {
    await payload(api.POST('/api/users', { body: { name, email, role }, credentials: 'include' }))
    return true
  } catch {
    return false
  }
}
