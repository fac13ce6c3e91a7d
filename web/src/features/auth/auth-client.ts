import type { components as AuthSchemas } from '@/api/auth'
import { Fault, messageOfFailure } from '@/api/fault'
import { wordedProblem } from '@/api/problem'
import { sessionStore, type SessionAnswer } from '@/api/session-store'
import type { Language } from '@/locales/languages'
import { fill, messages } from '@/messages'

/** One of the user's sessions. The `token` of a session other than the current one can only revoke that session. */
export type OwnSession = AuthSchemas['schemas']['AuthSession']
export type EmailChangeStopped = AuthSchemas['schemas']['EmailChangeStopped']

export type AuthError = {
  status: number
  message: string
  code?: string
  /** One sentence for each invalid field. */
  fields?: Record<string, string>
}
/** The result of every call. A failure is a value, including network failures. */
export type AuthResult<T> = { data: T; error: null } | { data: null; error: AuthError }

type CallOptions = { method?: 'GET' | 'POST'; body?: Record<string, unknown>; query?: Record<string, string> }

/** The paths of calls that change the session if they succeed. */
const changesSession = /^\/(sign-in|sign-up|sign-out|logout|update-user|delete-user|verify-email)(\/|$)/

/** A thin client of the authentication service. Throws when `baseURL` is invalid. */
export function createAuthClient(baseURL: string) {
  const base = new URL(baseURL)
  const listeners = new Set<() => void>()
  const sessionChanged = () => listeners.forEach((listener) => listener())

  async function call<T>(
    path: string,
    { method = 'POST', body, query }: CallOptions = {},
  ): Promise<AuthResult<T>> {
    const url = new URL(base.pathname.replace(/\/$/, '') + path, base)
    url.search = new URLSearchParams(query).toString()
    const result = await send<T>(url, method, body)
    if (!result.error && changesSession.test(path)) sessionChanged()
    return result
  }

  return {
    call,
    /** To be called after a request that changes the session without this client. */
    sessionChanged,
    getSession: () => call<SessionAnswer | null>('/get-session', { method: 'GET' }),
    signIn: (form: { email: string; password: string }) =>
      call('/sign-in/email', { body: { ...form, callbackURL: '/dashboard', rememberMe: true } }),
    signUp: (form: { email: string; password: string; name: string }) =>
      call('/sign-up/email', { body: { ...form, callbackURL: '/dashboard' } }),
    signOut: () => call('/sign-out', { body: {} }),
    updateUser: (fields: { name: string } | { language: Language }) => call('/update-user', { body: fields }),
    changeEmail: (form: { newEmail: string; password: string }) =>
      call('/change-email', { body: { ...form, callbackURL: '/dashboard' } }),
    stopEmailChange: (token: string) => call<EmailChangeStopped>('/stop-email-change', { body: { token } }),
    changePassword: (form: { currentPassword: string; newPassword: string; revokeOtherSessions: boolean }) =>
      call('/change-password', { body: form }),
    listSessions: () => call<OwnSession[]>('/list-sessions', { method: 'GET' }),
    revokeSession: (token: string) => call('/revoke-session', { body: { token } }),
    revokeOtherSessions: () => call('/revoke-other-sessions', { body: {} }),
    requestPasswordReset: (email: string) =>
      call('/request-password-reset', { body: { email, redirectTo: '/reset-password' } }),
    resetPassword: (form: { newPassword: string; token: string }) => call('/reset-password', { body: form }),
    /** Subscribes to calls that may have changed the session. Returns the unsubscribe function. */
    onSessionChange(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

async function send<T>(url: URL, method: string, body?: Record<string, unknown>): Promise<AuthResult<T>> {
  try {
    const response = await fetch(url, {
      method,
      credentials: 'include',
      headers: headers(body),
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return await resultOf<T>(response)
  } catch (cause) {
    return failure({ status: 0, message: messageOfFailure(cause) ?? '' })
  }
}

function headers(body: unknown): HeadersInit {
  const token = sessionStore.token()
  return {
    ...(body ? { 'Content-Type': 'application/json' } : {}),
    ...(token ? { Authorization: `Bearer ${token}` } : {}),
  }
}

async function resultOf<T>(response: Response): Promise<AuthResult<T>> {
  const text = await response.text()
  const body = parse(text)
  if (response.ok && body !== undefined) return { data: body as T, error: null }
  const { code, sentence, fields } = wordedProblem(body, response.status)
  return failure({
    status: response.status,
    message: sentence ?? unanswered(response, body),
    ...(code ? { code } : {}),
    ...(Object.keys(fields).length > 0 ? { fields } : {}),
  })
}

/**
 * The error to throw for a failed call. `otherwise` is the message if the service sent none. If fields are invalid, the
 * error is a Fault that names them.
 */
export const errorOf = (
  { message, status, fields }: AuthError,
  otherwise: string = messages.request.failed,
) => (fields ? new Fault(message, { status, fields }) : new Error(message || otherwise))

/** Waits for a call whose answer has no data. Throws the error of a failed call. */
export async function succeed(result: Promise<AuthResult<unknown>>) {
  const { error } = await result
  if (error) throw errorOf(error)
}

/** The message of a failed response that has none: the status if there is no body, otherwise empty. */
const unanswered = (response: Response, body: unknown) =>
  body === undefined
    ? fill(messages.auth.unanswered, { status: response.status, message: response.statusText })
    : ''

const failure = (error: AuthError) => ({ data: null, error }) as const

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

export const authClient = createAuthClient(`${globalThis.location.origin}/api/auth`)
