import { expect, test } from 'vitest'
import type { LiveEvent } from '@/api/types'
import { staleAfter } from './live-routes'

const about = {
  visitId: 'v',
  version: 2,
  token: 'T-001',
  name: 'Asha',
  service: 'ITR',
  assignedConsultant: 'CA Rao',
}
const names = (event: LiveEvent) => {
  const stale = staleAfter(event)
  return stale === 'everything' ? stale : stale.map((key) => key.join('.')).sort()
}

const lists = ['visits.pending', 'visits.today']
const listed = ['visits.attention', ...lists]
const line = ['visits.attention', 'visits.desks', 'visits.line']
const anywhere = [...line, ...lists]

// S4.live.03, S7.event.03-07
test.each<[string, LiveEvent, string[]]>([
  [
    'a new visit',
    { type: 'visit_created', data: about },
    ['audit.dashboard', 'audit.figures', 'audit.history', ...listed],
  ],
  [
    'an approval',
    { type: 'visit_approved', data: about },
    ['audit.dashboard', 'audit.figures', 'audit.history', 'directory.consultants', ...anywhere],
  ],
  [
    'a denial',
    { type: 'visit_denied', data: about },
    ['audit.dashboard', 'audit.figures', 'audit.history', ...listed],
  ],
  [
    'a call',
    {
      type: 'visit_called',
      data: {
        visitId: 'v',
        version: 2,
        token: 'T-001',
        service: 'ITR',
        assignedConsultant: 'CA Rao',
        counter: '3',
        callCount: 1,
      },
    },
    ['audit.dashboard', 'audit.figures', 'audit.history', 'directory.consultants', ...line, 'visits.today'],
  ],
  [
    'a start',
    { type: 'visit_in_session', data: about },
    ['audit.dashboard', 'audit.figures', 'audit.history', 'directory.consultants', ...line, 'visits.today'],
  ],
  [
    'a completion',
    { type: 'visit_completed', data: { ...about, duration: 3 } },
    ['audit.dashboard', 'audit.figures', 'audit.history', 'directory.consultants', ...line, 'visits.today'],
  ],
  [
    'any change of a visit',
    { type: 'status_update', data: about },
    ['audit.dashboard', 'audit.figures', 'audit.history', 'directory.consultants', ...anywhere],
  ],
])('%s invalidates the queries that show it', (_what, event, keys) => {
  expect(names(event)).toEqual(keys)
})

// S7.event.02
test.each([
  ['service', ['directory.services', 'office.setup']],
  ['consultant', ['directory.consultants', 'office.setup', 'visits.attention', 'visits.desks']],
  ['appointment', ['appointments', 'visits.attention']],
  ['line', ['visits.attention', 'visits.desks', 'visits.line']],
  ['desk', ['visits.attention', 'visits.desks', 'visits.line']],
  ['due_date', ['due-dates']],
  ['arrival', ['arrivals']],
  ['link', ['arrivals']],
  ['user', ['auth.session', 'directory.users']],
  ['office', ['office']],
] as const)('a changed %s invalidates its own lists', (entity, keys) => {
  expect(names({ type: 'status_update', data: { entity, entityId: 'x' } })).toEqual(keys)
})

test('a reset invalidates everything', () => {
  expect(names({ type: 'status_update', data: { reset: true } })).toBe('everything')
})

// S7.event.09
test('a heartbeat invalidates nothing', () => {
  expect(names({ type: 'heartbeat', data: {} })).toEqual([])
})

test('an entity of a newer server invalidates nothing', () => {
  const entity = 'printer' as 'line'
  expect(names({ type: 'status_update', data: { entity, entityId: 'x' } })).toEqual([])
})
