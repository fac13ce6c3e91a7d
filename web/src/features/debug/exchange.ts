import { sessionStore } from '@/api/session-store'
import type { Call, Values } from './calls'
import { officialClient } from './official-client'

/** One call as it went over the wire, written out for reading. Without an answer the status is 0. */
export type Exchange = { request: string; sent: string; status: number; statusText: string; answer: string }

/**
 * Makes the call and resolves with what was sent and answered, whatever the answer was. Calls back when the session may
 * be another one now.
 */
export async function perform(call: Call, values: Values, onSessionChange: () => void): Promise<Exchange> {
  let exchange: Exchange = { request: '', sent: '', status: 0, statusText: '', answer: '' }

  const recorded: typeof fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const request = `${init?.method ?? 'GET'} ${url.pathname}${url.search}`
    const sent = typeof init?.body === 'string' ? pretty(init.body, masked) : ''
    exchange = { ...exchange, request, sent }
    const response = await fetch(input, init)
    const { status, statusText } = response
    exchange = { request, sent, status, statusText, answer: pretty(await response.clone().text()) }
    if (response.ok && changesSession.test(url.pathname)) {
      // The cookie says who is signed in now: a stored token of before would hide it.
      sessionStore.clear()
      onSessionChange()
    }
    return response
  }

  try {
    await call.make(officialClient(recorded), values)
    return exchange
  } catch (cause) {
    return { ...exchange, answer: exchange.answer || String(cause) }
  }
}

/** What ends a session, begins one or changes its user. */
const changesSession = /\/(sign-|update-user|delete-user|verify-email|change-|revoke-)/

const masked = (key: string, value: unknown) => (/password/i.test(key) && value ? '••••••' : value)

function pretty(body: string, replacer?: (key: string, value: unknown) => unknown): string {
  try {
    return JSON.stringify(JSON.parse(body), replacer, 2)
  } catch {
    return body
  }
}
