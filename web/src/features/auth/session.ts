import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, payload } from '@/api/client'
import { Fault } from '@/api/fault'
import { sessionStore, type SessionAnswer, type User } from '@/api/session-store'
import { inBackground } from '@/in-background'
import { pairedDesk } from '@/live/offline-port'
import { authClient } from './auth-client'

export const noSession: SessionAnswer = { session: null, user: null }

/** The current session and user; both are null without a session. Rejects only if the session cannot be read. */
export const sessionQuery = queryOptions({
  queryKey: ['auth', 'session'],
  queryFn: verify,
  retry: false,
})

async function verify(): Promise<SessionAnswer> {
  const { data, error } = await authClient.getSession()
  if (error && error.status !== 401) {
    // If the session cannot be read, a paired desk continues with the person who has worked there today.
    const kept = await (await pairedDesk())?.keptPerson()
    if (kept) return kept
    throw new Fault(error.message, { status: error.status })
  }
  if (!data?.session || !data.user) {
    sessionStore.clear()
    return noSession
  }
  // The token is stored first, because reading the account from the product API needs it.
  sessionStore.save(data.session.token, data.user)
  const user = await withAccount(data.user)
  if (!user) return noSession
  sessionStore.save(data.session.token, user)
  const answer = { session: data.session, user }
  inBackground(pairedDesk().then((paired) => paired?.keepPerson(answer)))
  return answer
}

/** Merges the account's current fields (role, activity) into the session's user. Null if the session has ended. */
async function withAccount(user: User): Promise<User | null> {
  try {
    const { data } = await payload(api.GET('/api/users/{id}', { params: { path: { id: user.id } } }))
    return { ...user, ...data }
  } catch (cause) {
    return cause instanceof Fault && cause.status === 401 ? null : user
  }
}

/** Authentication state: a user is authenticated only with both a session and a user. */
export function useSession() {
  const { data = noSession, isPending, isFetching, error, refetch } = useQuery(sessionQuery)
  return {
    user: data.user,
    isLoading: isPending || (isFetching && error !== null),
    isAuthenticated: data.session !== null && data.user !== null,
    error,
    verifyAgain: () => inBackground(refetch()),
  }
}

/** A user without either flag is active: only false or 0 deactivates. */
export const isInactive = (user: User) => saysNo(user.isActive) || saysNo(user.is_active)

const saysNo = (flag: unknown) => flag === false || flag === 0
