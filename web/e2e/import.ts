import { createHmac } from 'node:crypto'
import { expect } from '@playwright/test'
import { processes } from './processes'

/** A past visit; its times are ISO timestamps. */
export type PastVisit = {
  name: string
  phone: string
  service_id: string
  created_at: string
  decided_at?: string
  consultant_id?: string
  started_at?: string
  completed_at?: string
  session_notes?: string
  reception_user_id: string
  pa_user_id: string
}

const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A token for calls between services, valid for a minute. */
function serviceToken(audience: string): string {
  const secret = process.env.BAARI_SERVICE_SECRET
  if (!secret) throw new Error('BAARI_SERVICE_SECRET is not set: it opens the import of past visits.')
  const now = Math.floor(Date.now() / 1_000)
  const claims = { iss: 'baari', sub: 'seed', aud: [audience], iat: now, exp: now + 60 }
  const signed = `${base64url({ alg: 'HS256', typ: 'JWT' })}.${base64url(claims)}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

/** Imports past visits, which follow the same rules and have the same events as live ones. */
export async function importVisits(visits: PastVisit[]): Promise<void> {
  const port = processes().find(({ name }) => name === 'visits')?.internal_port
  const answer = await fetch(`http://127.0.0.1:${port}/internal/import`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${serviceToken('visits')}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ visits }),
  })
  expect(answer.status, await answer.text()).toBe(200)
}
