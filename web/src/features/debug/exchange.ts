import { sessionStore } from '@/api/session-store'
import type { Call, Values } from './calls'
import { officialClient } from './official-client'

/** One HTTP exchange as text. Without a response the status is 0. */
export type Exchange = { request: string; sent: string; status: number; statusText: string; answer: string }

/**
 * Makes the call and resolves with its request and response, whatever the status. Calls `onSessionChange` when the
 * session may have changed.
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
      // The cookie identifies the user now; a stored token of the previous session would take precedence.
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

/** Calls that start or end a session or change its user. */
const changesSession = /\/(sign-|update-user|delete-user|verify-email|change-|revoke-)/

const masked = (key: string, value: unknown) => (/password/i.test(key) && value ? '••••••' : value)

function pretty(body: string, replacer?: (key: string, value: unknown) => unknown): string {
  try {
    return JSON.stringify(JSON.parse(body), replacer, 2)
  } catch {
    return body
  }
}
