// What both suites need: where Baari runs, a browser's part of fetch, and the mail box of `baari up`.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'

export const password = 'right horse battery'

/** The address of the gateway, as BAARI_URL says. */
export const site = setting('BAARI_URL')

/** A setting of the environment that a run needs. */
export function setting(name: string): string {
  const value = process.env[name]
  assert.ok(value, `${name} is not set: start Baari with \`baari up --no-limits\` and set what it prints`)
  return value.replace(/\/$/, '')
}

export const newEmail = (): string => `${randomUUID()}@example.com`

/** A browser as far as the client knows one: it keeps cookies and says which page it is on. */
export class Browser {
  readonly cookies = new Map<string, string>()
  /** The last answer, for what the client does not show. */
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

/** The link in the nth mail to an address, counted from 1. */
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

/** Fails unless the client was refused with status and code; without a code the message is compared. */
export function refused(answer: { error: Failure | null }, status: number, code: string): void {
  assert.ok(answer.error, `succeeded, expected ${String(status)} ${code}`)
  assert.deepEqual([answer.error.status, answer.error.code ?? answer.error.message], [status, code])
}

/** The data of an answer that must be a success. */
export function data<T>(answer: { data: T | null; error: Failure | null }): T {
  assert.equal(answer.error, null, JSON.stringify(answer.error))
  assert.ok(answer.data !== null)
  return answer.data
}
