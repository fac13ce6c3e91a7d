// Helpers of the suites: the address of Baari, a fetch with cookies and an Origin, and the mailbox of `baari up`.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'

export const password = 'right horse battery'

/** The URL of the gateway, from BAARI_URL. */
export const site = setting('BAARI_URL')

/** Returns a required environment variable, without a trailing slash. */
export function setting(name: string): string {
  const value = process.env[name]
  assert.ok(value, `${name} is not set: start Baari with \`baari up --no-limits\` and set what it prints`)
  return value.replace(/\/$/, '')
}

export const newEmail = (): string => `${randomUUID()}@example.com`

/** A fetch that stores cookies and sends an Origin, as a browser does. */
export class Browser {
  readonly cookies = new Map<string, string>()
  /** The last response, for headers that the client does not return. */
  last?: Response

  readonly fetch: typeof fetch = async (input, init) => {
    const headers = new Headers(init?.headers)
    headers.set('origin', new URL(site).origin)
    if (this.cookies.size > 0) {
      headers.set('cookie', [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    }
    const answer = await fetch(input, { ...init, headers, redirect: 'manual' })
    for (const line of answer.headers.getSetCookie()) this.keep(line)
    this.last = answer
    return answer
  }

  private keep(line: string): void {
    const [pair = '', ...attributes] = line.split('; ')
    const [name = '', value = ''] = pair.split('=', 2)
    if (attributes.includes('Max-Age=0')) this.cookies.delete(name)
    else this.cookies.set(name, value)
  }
}

interface Message {
  text: string
}

/** Waits for the nth mail to an address, counted from 1, and returns its link. */
export async function mailedLink(to: string, nth = 1): Promise<URL> {
  const mail = setting('MAIL_URL')
  for (let tries = 0; tries < 100; tries++) {
    const answer = await fetch(`${mail}/messages?to=${encodeURIComponent(to)}`)
    const messages = (await answer.json()) as Message[]
    const link = messages[nth - 1]?.text.match(/https?:\/\/\S+/)
    if (link) return new URL(link[0])
    await pause(100)
  }
  throw new Error(`no mail ${String(nth)} came`)
}

interface Failure {
  status: number
  code?: string | undefined
  message?: string | undefined
}

/** Fails unless the result is an error with the status and the code; an error without a code is compared by message. */
export function rejected(answer: { error: Failure | null }, status: number, code: string): void {
  assert.ok(answer.error, `succeeded, expected ${String(status)} ${code}`)
  assert.deepEqual([answer.error.status, answer.error.code ?? answer.error.message], [status, code])
}

/** Returns the data of a result, and fails for an error. */
export function data<T>(answer: { data: T | null; error: Failure | null }): T {
  assert.equal(answer.error, null, JSON.stringify(answer.error))
  assert.ok(answer.data !== null)
  return answer.data
}
