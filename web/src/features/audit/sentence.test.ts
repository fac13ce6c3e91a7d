import { expect, test, vi } from 'vitest'
import type { AuditRecord } from '@/api/types'
import { record } from '@/test/open-admin'
import { sentenceOf } from './sentence'

const kavita = { id: 'kavita', name: 'Kavita Rao', email: 'k@x.in', role: 'consultant' as const }
const visit = { token: 'T-014', name: 'Asha Kulkarni' }
const names = new Map([['divya', 'Divya']])

test('a step of a visit names who did what with which visitor', () => {
  expect(sentenceOf(record({ user: kavita, action: 'started', visit }), names)).toBe(
    'Kavita Rao started T-014 with Asha Kulkarni',
  )
  expect(
    sentenceOf(record({ action: 'approved', visit, newValues: { consultantName: 'Kavita Rao' } }), names),
  ).toBe('Divya approved T-014 of Asha Kulkarni for Kavita Rao')
  expect(sentenceOf(record({ action: 'approved', visit, newValues: null }), names)).toBe(
    'Divya approved T-014 of Asha Kulkarni',
  )
})

test('a visitor whose data was erased has no name in the sentence', () => {
  expect(sentenceOf(record({ action: 'completed', visit: { ...visit, name: '' } }), names)).toBe(
    'Divya completed T-014 with a visitor whose data was erased',
  )
})

test('a failed sign-in and an ended session name the account, not who caused them', () => {
  const session = { entity: 'session', entityId: 'divya', visit: null } as const
  expect(sentenceOf(record({ ...session, user: kavita, action: 'signed_in' }), names)).toBe(
    'Kavita Rao signed in',
  )
  expect(sentenceOf(record({ ...session, user: kavita, action: 'revoked' }), names)).toBe(
    'A session of Divya was ended',
  )
  expect(sentenceOf(record({ ...session, entityId: 'gone', action: 'sign_in_failed' }), names)).toBe(
    'A sign-in as gone failed',
  )
})

// English shows the stored names of shipped due dates. This mock stands for another language.
vi.mock('@/ui/due-name', () => ({
  dueName: (title: string) => (title === 'GSTR-1, monthly' ? 'GSTR-1, मासिक' : title),
}))

test('an added due date has its name in the language of the page', () => {
  const entry = { entity: 'due_date', entityId: 'd1', visit: null, action: 'created' } as const
  const sentence = (title: string) => sentenceOf(record({ ...entry, newValues: { title } }), names)
  expect(sentence('GSTR-1, monthly')).toBe('Divya added the due date GSTR-1, मासिक')
  expect(sentence('Rent of the office')).toBe('Divya added the due date Rent of the office')
})

test('an added due date is named, a changed one is in the values beside the sentence', () => {
  const entry = { entity: 'due_date', entityId: 'd1', visit: null } as const
  const title = 'Rent of the office'
  expect(sentenceOf(record({ ...entry, action: 'created', newValues: { title } }), names)).toBe(
    'Divya added the due date Rent of the office',
  )
  expect(sentenceOf(record({ ...entry, action: 'updated', newValues: { isActive: false } }), names)).toBe(
    'Divya changed a due date',
  )
})

test('an added or renamed screen is named, a paired one is the actor itself', () => {
  const device = { entity: 'device', entityId: 's1', visit: null } as const
  const sentence = (action: AuditRecord['action'], newValues: Record<string, unknown>) =>
    sentenceOf(record({ ...device, action, newValues }), names)
  expect(sentence('created', { name: 'Hall' })).toBe('Divya added the screen Hall')
  expect(sentence('renamed', { name: 'Hall' })).toBe('Divya renamed a screen to Hall')
  expect(sentence('paired', { paired: true })).toBe('The screen Divya was paired')
  expect(sentence('changed', { volume: 30 })).toBe('Divya changed the voice of a screen')
  expect(sentence('revoked', { revoked: true })).toBe('Divya removed a screen')
})

test('readings, exports and refusals have a sentence, other records have none', () => {
  expect(sentenceOf(record({ entity: 'audit', action: 'read', visit: null }), names)).toBe(
    'Divya read this trail',
  )
  expect(sentenceOf(record({ entity: 'export', action: 'exported', visit: null }), names)).toBe(
    'Divya exported visits',
  )
  expect(sentenceOf(record({ entity: 'access', action: 'denied', visit: null }), names)).toBe(
    'Divya was refused access',
  )
  expect(sentenceOf(record({ entity: 'service', action: 'updated', visit: null }), names)).toBeNull()
  expect(sentenceOf(record({ visit: null }), names)).toBeNull()
})
