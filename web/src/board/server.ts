import type { Office } from '@/api/office'
import type { Device } from '@/api/types'
import type { components } from '@/api/visits'
import { recordServerTime } from '@/clock'
import type { Call, Serving } from './calls'

type Board = components['schemas']['BoardAnswer']

const timeoutMs = 10_000

/** A request that the server has rejected, with the HTTP status. */
export class Rejected extends Error {
  override readonly name = 'Rejected'
  readonly status: number

  constructor(status: number) {
    super(`The server answered ${status}`)
    this.status = status
  }
}

export async function ask<T>(path: string, token?: string, body?: unknown): Promise<T> {
  const sent = Date.now()
  const response = await fetch(path, {
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    headers: {
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    },
    cache: 'no-store',
    signal: AbortSignal.timeout(timeoutMs),
  })
  recordServerTime(response.headers.get('Date'), sent, Date.now())
  if (!response.ok) throw new Rejected(response.status)
  return (await response.json()) as T
}

export const loadOffice = () => ask<Office>('/api/office')

export const pair = (code: string) =>
  ask<{ device: Device; token: string }>('/api/devices/pair', undefined, { code })

/** Reports the state of the voice; the answer has the screen's settings. */
export const report = async (token: string, state: { voice: string; queue: number }) =>
  (await ask<{ device: Device }>('/api/devices/seen', token, state)).device

type Shown = { calls: Call[]; serving: Serving[]; next: string[] }

export async function loadBoard(token: string): Promise<Shown> {
  // A service of the previous release sends no next tokens.
  const {
    calls,
    serving,
    next = [],
  } = await ask<Omit<Board, 'next'> & Partial<Board>>('/api/visits/board', token)
  return { calls: calls.map((call) => ({ ...call, at: Date.parse(call.at) })), serving, next }
}
