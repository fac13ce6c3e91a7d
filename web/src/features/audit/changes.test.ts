import { readdirSync, readFileSync } from 'node:fs'
import { afterEach, expect, test, vi } from 'vitest'
import { messages as adminMessages } from '@/admin-messages'
import type { AuditRecord } from '@/api/types'
import { translationIn } from '@/test/catalogues'
import { changesOf } from './changes'

const reading = {
  names: new Map([['c1', 'Zoya']]),
  timestamp: (timestamp: string) => `at ${timestamp.slice(11, 16)}`,
}
const record = (oldValues: object | null, newValues: object | null) =>
  ({ oldValues, newValues }) as unknown as AuditRecord

test("old and new values are side by side, ids have names, times are the office's", () => {
  const old = { status: 'approved', startedAt: null, version: 2 }
  const now = { status: 'in-session', startedAt: '2026-11-20T05:30:00.000Z', version: 3, consultantId: 'c1' }
  expect(changesOf(record(old, now), reading)).toEqual([
    { field: 'Status', before: 'approved', after: 'in-session' },
    { field: 'Started at', before: '-', after: 'at 05:30' },
    { field: 'Version', before: '2', after: '3' },
    { field: 'Consultant id', before: '-', after: 'Zoya' },
  ])
})

test('fields empty on both sides are omitted; lists, flags and objects are text', () => {
  const now = {
    notes: '',
    phone: null,
    isActive: false,
    specialization: ['GST', 'ITR'],
    filters: { page: 1, end_date: 'x' },
  }
  expect(changesOf(record(null, now), reading).map(({ field, after }) => `${field}: ${after}`)).toEqual([
    'Is active: No',
    'Specialization: GST, ITR',
    'Filters: Page: 1, End date: x',
  ])
  expect(changesOf(record(null, null), reading)).toEqual([])
})

/**
 * The field names in the payloads of events. They are read from the Go packages contract (except calls.go) and
 * office, and from the audit service's own events.
 */
function fieldsOfEvents() {
  const goFiles = (folder: string) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.go') && !name.endsWith('_test.go'))
      .map((name) => `${folder}/${name}`)
  const files = [
    ...goFiles('../services/contract').filter((file) => !file.endsWith('/calls.go')),
    // The differences of two documents are in answers only.
    ...goFiles('../services/office').filter((file) => !file.endsWith('/changes.go')),
    '../services/audit/events.go',
  ]
  return new Set(
    files.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/json:"(\w+)/g)].map(([, name]) => name)),
  )
}

test('every field of an event has a name', () => {
  const named = new Set(Object.keys(adminMessages.trailFields))
  const fields = [...fieldsOfEvents()]
  expect(fields.length).toBeGreaterThan(150)
  expect(fields.filter((field) => !named.has(field ?? ''))).toEqual([])
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

test('fields, statuses and roles are in the language of the page', async () => {
  vi.stubGlobal('translation', translationIn('hi'))
  vi.resetModules()
  const { changesOf: inHindi } = await import('./changes')
  const now = {
    status: 'in-session',
    consultantId: 'c1',
    role: 'pa',
    texts: { kn: 'x' },
    sessionSeconds: 1_23_456,
  }
  expect(inHindi(record(null, now), reading)).toEqual([
    { field: 'स्थिति', before: '-', after: 'परामर्श जारी' },
    { field: 'सलाहकार', before: '-', after: 'Zoya' },
    { field: 'भूमिका', before: '-', after: 'निजी सहायक' },
    { field: 'अन्य भाषाओं में पाठ', before: '-', after: 'ಕನ್ನಡ: x' },
    { field: 'परामर्श (सेकंड)', before: '-', after: '1,23,456' },
  ])
})
