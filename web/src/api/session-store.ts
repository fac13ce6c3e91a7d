import { keys, read, remove, tabKeys, write } from '@/storage'

/** A member of staff, as auth returns it. The stored user also keeps fields that are not named here. */
export type User = {
  id: string
  email: string
  name: string
  role: string
  isActive?: boolean
  is_active?: boolean
  /** Whether the account is inactive because no admin has approved it yet. */
  awaiting?: boolean
  /** Null until the person has chosen a language. */
  language?: string | null
}

type Session = { id: string; token: string; userId: string; expiresAt: string }

/** Auth's answer to the question who is signed in. */
export type SessionAnswer = { session: Session | null; user: User | null }

/** The session in the browser's storage. The next page reads the token and the user from it. */
export const sessionStore = {
  token: () => read(keys.token),
  user: (): User | null => parse(read(keys.user)),
  save(token: string, user: User) {
    write(keys.token, token)
    write(keys.user, JSON.stringify(user))
  },
  clear: () => remove(keys.token, keys.user, tabKeys.alerts),
}

function parse(stored: string | null): User | null {
  try {
    const value: unknown = stored === null ? null : JSON.parse(stored)
    return typeof value === 'object' && value !== null && 'id' in value ? (value as User) : null
  } catch {
    return null
  }
}
