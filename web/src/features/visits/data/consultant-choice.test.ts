import { expect, test } from 'vitest'
import { queueOf, visitOf } from '@/test/fixtures'
import { choicesFor, minutesUntilFree } from './consultant-choice'

const now = Date.parse('2026-11-20T06:00:00Z')
const estimates = new Map([['itr', 30]])

test('the rest of a session and the visitors who wait count until a consultant is free', () => {
  const zoya = { assignedConsultantId: 'zoya' }
  const since = '2026-11-20T05:50:00.000Z'
  const visits = [
    visitOf(1, { ...zoya, status: 'in-session', queue: queueOf('in-session', { satSince: since }) }),
    visitOf(2, { ...zoya, status: 'approved', queue: queueOf('waiting') }),
    visitOf(3, { ...zoya, status: 'approved', queue: queueOf('held') }),
    visitOf(4, { ...zoya, status: 'completed' }),
    visitOf(5, { status: 'approved', queue: queueOf('waiting') }),
  ]
  expect([...minutesUntilFree(visits, estimates, now)]).toEqual([['zoya', 20 + 30]])
})

test('a session beyond its estimate ends at any time, not in the past', () => {
  const visit = visitOf(1, {
    assignedConsultantId: 'zoya',
    status: 'in-session',
    startedAt: '2026-11-20T04:00:00.000Z',
    queue: queueOf('in-session', { satSince: null }),
  })
  expect(minutesUntilFree([visit], estimates, now).get('zoya')).toBe(1)
})

test('available consultants come before busy ones, and busy ones by the time until they are free', () => {
  const of = (name: string, freeIn: number, available: boolean) => ({
    id: name,
    name,
    freeIn,
    available,
    currentQueue: available ? 0 : 1,
    inSession: false,
    specialization: ['GST'],
  })
  const names = choicesFor('GST', [of('Slow', 50, false), of('Free', 0, true), of('Soon', 5, false)])
  expect(names.map(({ name }) => name)).toEqual(['Free', 'Soon', 'Slow'])
})
