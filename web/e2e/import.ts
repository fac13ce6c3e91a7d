import { createPrivateKey, sign } from 'node:crypto'
import { expect } from '@playwright/test'
import { processes } from './processes'

/** A past visit. Its times are ISO timestamps. */
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

/** In PKCS #8, these bytes precede the 32 bytes of an Ed25519 key. */
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex')

/** A token of the operator for a service, valid for a minute. */
function operatorToken(audience: string): string {
  const seed = process.env.BAARI_OPERATOR_KEY
  if (!seed) throw new Error('BAARI_OPERATOR_KEY is not set: it opens the import of past visits.')
  const key = createPrivateKey({
    key: Buffer.concat([pkcs8, Buffer.from(seed, 'base64')]),
    format: 'der',
    type: 'pkcs8',
  })
  const now = Math.floor(Date.now() / 1_000)
  const claims = { iss: 'baari', sub: 'operator', aud: [audience], iat: now, exp: now + 60 }
  const signed = `${base64url({ alg: 'EdDSA', typ: 'JWT' })}.${base64url(claims)}`
  return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`
}

/**
 * Imports past visits. They follow the same rules and have the same events as visits that were registered at the time.
 */
export async function importVisits(visits: PastVisit[]): Promise<void> {
  const port = processes().find(({ name }) => name === 'visits')?.internal_port
  const answer = await fetch(`http://127.0.0.1:${port}/internal/import`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${operatorToken('visits')}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ visits }),
  })
  expect(answer.status, await answer.text()).toBe(200)
}
