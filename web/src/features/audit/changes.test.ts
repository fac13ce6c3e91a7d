import { expect, test } from 'vitest'
import type { AuditRecord } from '@/api/types'
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
