import { expect, test } from 'vitest'
import type { Arrival, Attention } from '@/api/types'
import { queueOf, visitOf } from '@/test/fixtures'
import { needsOf } from './needs'

const at = (minute: number) => `2026-11-20T05:${String(minute).padStart(2, '0')}:00.000Z`

const listed = (kind: Attention['kind'], minute: number): Attention => ({
  id: `${kind}-${minute}`,
  kind,
  since: at(minute),
  values: {},
  actions: [],
})

const arrival = (id: string, minute: number): Arrival => ({
  id,
  name: 'Asha',
  phone: '98******10',
  service: { id: 'itr', name: 'ITR Filing' },
  language: 'en',
  messages: false,
  createdAt: at(minute),
})

const missed = visitOf(14, { queue: queueOf('missed') })
const sources = {
  listed: [listed('call_unanswered', 20), listed('desk_without_number', 1), listed('pin_away', 2)],
  door: {
    arrivals: [arrival('second', 12), arrival('first', 10)],
    returns: [
      { visitId: missed.id, token: missed.token, at: at(11) },
      { visitId: 'visit-15', token: 'T-015', at: at(3) },
    ],
  },
  today: [missed, visitOf(15)],
}

const idsFor = (role: string) => needsOf({ ...sources, role }).map(({ id }) => id)

test('reception looks at the door first, in the order in which visitors came', () => {
  expect(idsFor('reception')).toEqual([
    'first',
    'visit-14',
    'second',
    'call_unanswered-20',
    'desk_without_number-1',
    'pin_away-2',
  ])
})

test('an admin sees the door after the calls and the desks', () => {
  expect(idsFor('admin')).toEqual([
    'call_unanswered-20',
    'desk_without_number-1',
    'first',
    'visit-14',
    'second',
    'pin_away-2',
  ])
})
