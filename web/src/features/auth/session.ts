import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, payload } from '@/api/client'
import { Fault } from '@/api/fault'
import { sessionStore, type User } from '@/api/session-store'
import { authClient, type SessionAnswer } from './auth-client'

export const nobody: SessionAnswer = { session: null, user: null }

/** Who is signed in. Rejects only when that could not be found out; nobody is an answer. */
export const sessionQuery = queryOptions({
  queryKey: ['auth', 'session'],
  queryFn: verify,
  retry: false,
})

async function verify(): Promise<SessionAnswer> {
  const { data, error } = await authClient.getSession()
  if (error && error.status !== 401) throw new Fault(error.message, { status: error.status })
  if (!data?.session || !data.user) {
    sessionStore.clear()
    return nobody
  }
  // The product calls need the token before the account can be read.
  sessionStore.save(data.session.token, data.user)
  const user = await withAccount(data.user)
  if (!user) return nobody
  sessionStore.save(data.session.token, user)
  return { session: data.session, user }
}

/** The account's own fields over the session's: role and activity as they are now. Null when the session has just ended. */
async function withAccount(user: User): Promise<User | null> {
  try {
    const { data } = await payload(api.GET('/api/users/{id}', { params: { path: { id: user.id } } }))
    return { ...user, ...data }
  } catch (cause) {
    return cause instanceof Fault && cause.status === 401 ? null : user
  }
}

/** The state of authentication: only a session and a user together count as signed in. */
export function useSession() {
  const { data = nobody, isPending, isFetching, error, refetch } = useQuery(sessionQuery)
  return {
    user: data.user,
    isLoading: isPending || (isFetching && error !== null),
    isAuthenticated: data.session !== null && data.user !== null,
    error,
    verifyAgain: () => void refetch(),
  }
}

/** A user without either flag counts as active: only a said no blocks, as false or as 0. */
export const isInactive = (user: User) => saysNo(user.isActive) || saysNo(user.is_active)

const saysNo = (flag: unknown) => flag === false || flag === 0
