// The end or change of a session takes effect within a second at another service and for live streams (T13).

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'

import { createAuthClient } from 'better-auth/client'

import { Browser, data, newEmail, password, setting, site } from './desk.ts'

/** The time limit for each effect, in milliseconds: one second and a margin for a busy machine. */
const promptly = 1_500

interface Account {
  role: string
  email: string
  password: string
}

const accounts = JSON.parse(readFileSync(setting('BAARI_ACCOUNTS'), 'utf8')) as Account[]

function open() {
  const browser = new Browser()
  return createAuthClient({ baseURL: site, fetchOptions: { customFetchImpl: browser.fetch } })
}

/** Signs up a receptionist and opens a live stream. */
async function atWork() {
  const client = open()
  const email = newEmail()
  const made = data(await client.signUp.email({ name: 'Asha', email, password }))
  const token = made.token ?? ''
  const id = made.user.id
  const address = `${site}/api/stream?role=reception&user_id=${id}`
  const stream = await fetch(address, { headers: { authorization: `Bearer ${token}` } })
  assert.equal(stream.status, 200)
  assert.ok(stream.body)
  const reader = stream.body.getReader()
  await reader.read() // its first frame
  return { client, email, id, token, closed: toTheEnd(reader) }
}

async function toTheEnd(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  while (!(await reader.read()).done);
}

async function call(token: string, path: string, init: RequestInit = {}) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answer = await fetch(site + path, { ...init, headers })
  await answer.arrayBuffer()
  return answer.status
}

/**
 * Waits until a call to another service is answered with the status, and then until the stream has ended.
 * It fails if one of the waits takes longer than `promptly`.
 */
async function holds(person: Awaited<ReturnType<typeof atWork>>, path: string, status: number) {
  const began = Date.now()
  for (let got = 0; got !== status; ) {
    got = await call(person.token, path)
    assert.ok(Date.now() - began < promptly, `${path} still answers ${String(got)}`)
  }
  const late = new AbortController()
  await Promise.race([
    person.closed,
    pause(promptly, undefined, { signal: late.signal }).then(() => assert.fail('the stream is still open')),
  ])
  late.abort()
}

async function asAdmin() {
  const admin = accounts.find((one) => one.role === 'admin')
  assert.ok(admin)
  return data(await open().signIn.email({ email: admin.email, password: admin.password })).token
}

async function change(id: string, what: object) {
  assert.equal(await call(await asAdmin(), `/api/users/${id}`, { method: 'PUT', body: JSON.stringify(what) }), 200)
}

const visits = '/api/visits/today'
const pending = '/api/visits/pending-approval'

test('T13: a sign-out takes effect for visits and streams within a second', async () => {
  const person = await atWork()
  assert.equal(await call(person.token, visits), 200)
  data(await person.client.signOut())
  await holds(person, visits, 401)
})

test('T13: so does a revocation from another session', async () => {
  const person = await atWork()
  const other = open()
  data(await other.signIn.email({ email: person.email, password }))
  assert.equal(await call(person.token, visits), 200)
  data(await other.revokeOtherSessions())
  await holds(person, visits, 401)
})

test('T13: so does a new password that ends the other sessions', async () => {
  const person = await atWork()
  const other = open()
  data(await other.signIn.email({ email: person.email, password }))
  assert.equal(await call(person.token, visits), 200)
  const passwords = { currentPassword: password, newPassword: 'another phrase', revokeOtherSessions: true }
  data(await other.changePassword(passwords))
  await holds(person, visits, 401)
})

test('T13: so does a deactivation, and get-session still returns the user', async () => {
  const person = await atWork()
  assert.equal(await call(person.token, visits), 200)
  await change(person.id, { isActive: false })
  await holds(person, visits, 403)
  assert.equal(data(await person.client.getSession()).user.id, person.id)
})

test('T13: so does a change of role, and the token stays', async () => {
  const person = await atWork()
  assert.equal(await call(person.token, pending), 403)
  await change(person.id, { role: 'pa' })
  await holds(person, pending, 200)
  assert.equal(data(await person.client.getSession()).session.token, person.token)
})

test('T13: so does a deletion', async () => {
  const person = await atWork()
  assert.equal(await call(person.token, visits), 200)
  data(await person.client.deleteUser({ password }))
  await holds(person, visits, 401)
})
