import createClient, { type FetchResponse } from 'openapi-fetch'
import { recordServerTime } from '@/clock'
import { messages } from '@/messages'
import { Fault, faultOf, faultOfFailure } from './fault'
import { recordResponsePosition, feedMin } from './feed-position'
import type { Paths } from './paths'
import { sessionStore } from './session-store'
import { beginTrace } from './trace'

export const timeoutMs = 10_000

function signal() {
  const listeners = new Set<() => void>()
  return {
    on: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    emit: () => listeners.forEach((listener) => listener()),
  }
}

const unauthorized = signal()
const unanswered = signal()

/**
 * Subscribes to the end of the session, detected by a 401 of the product API. Returns the unsubscribe function.
 */
export const onUnauthorized = unauthorized.on

/** Subscribes to calls of the product API that got no response. Returns the unsubscribe function. */
export const onUnanswered = unanswered.on

type SignInAgain = () => Promise<boolean>

const noOne: SignInAgain = () => Promise.resolve(false)
let signInAgain = noOne

/**
 * Sets the function that asks for the password when a call needs a session that has just begun. Its promise resolves
 * with true when the person has signed in again. Returns a function that removes it.
 */
export function onNotFresh(ask: SignInAgain) {
  signInAgain = ask
  return () => {
    if (signInAgain === ask) signInAgain = noOne
  }
}

async function needsFreshSession(response: Response) {
  if (response.status !== 403) return false
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined)
  return faultOf(response.status, body, '').code === 'session_not_fresh'
}

/**
 * Calls the product API with bearer token and trace. `limit` aborts each attempt, by default after ten
 * seconds. A 401 ends the session. A call that needs a new session is repeated after a new sign-in.
 */
export async function productFetch(
  request: Request,
  limit = () => AbortSignal.timeout(timeoutMs),
): Promise<Response> {
  const token = sessionStore.token()
  const unsent = request.clone()
  const position = feedMin()
  if (token) request.headers.set('Authorization', `Bearer ${token}`)
  if (position && request.method === 'GET') request.headers.set('X-Feed-Min', position)
  const trace = beginTrace()
  request.headers.set('traceparent', trace.traceparent)
  const sent = Date.now()
  const response = await fetch(request, { signal: AbortSignal.any([request.signal, limit()]) }).catch(
    (cause: unknown) => {
      if (!request.signal.aborted) unanswered.emit()
      throw cause
    },
  )
  recordServerTime(response.headers.get('Date'), sent, Date.now())
  trace.answered(request, response)
  if (response.status === 401) {
    // The token was replaced while the call ran (by a new password or address), so the 401 is about the old session
    // only.
    if (token && ![null, token].includes(sessionStore.token())) return productFetch(unsent, limit)
    sessionStore.clear()
    unauthorized.emit()
    throw new Fault(messages.auth.unauthorized, { status: 401, code: 'unauthorized' })
  }
  if ((await needsFreshSession(response)) && (await signInAgain())) return productFetch(unsent, limit)
  recordResponsePosition(response.headers.get('X-Feed-Seq'))
  return response
}

/** The client of the product API. Its types come from the API documents of the services. */
export const api = createClient<Paths>({
  baseUrl: globalThis.location.origin,
  fetch: (request) => productFetch(request),
})

/** Returns the payload of a call. Without one it rejects: with the cause of an abort, otherwise with a Fault. */
export async function payload<T extends Record<string | number, unknown>, O, M extends `${string}/${string}`>(
  call: Promise<FetchResponse<T, O, M>>,
) {
  const { data, error, response } = await call.catch((cause: unknown) => {
    throw cause instanceof Fault || isAbort(cause) ? cause : faultOfFailure(cause)
  })
  if (!response.ok || data === undefined) throw faultOf(response.status, error, response.statusText)
  return data
}

/** A call that React Query has aborted is not a failure. */
const isAbort = (cause: unknown) => cause instanceof DOMException && cause.name === 'AbortError'
