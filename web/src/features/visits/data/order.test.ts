import { expect, test } from 'vitest'
import { idOfUnsent } from '@/live/offline-mode'
import { queueOf, visitOf } from '@/test/fixtures'
import { byLine, byToken, oldestFirst } from './order'

const desk = (series: string, number: number, after: number, minute: string) =>
  visitOf(number, {
    token: `${series}-${String(number).padStart(3, '0')}`,
    createdAt: '2026-11-20T06:00:00.000Z',
    offline: { arrivedAt: `2026-11-20T05:${minute}:00.000Z`, after, serviceGone: false },
  })

test('a day of T alone is in the order of its numbers, also when two were created at once', () => {
  const visits = [visitOf(1000), visitOf(999, { createdAt: '2026-11-20T09:00:00.000Z' }), visitOf(2)]
  expect(visits.toSorted(byToken).map(({ token }) => token)).toEqual(['T-002', 'T-999', 'T-1000'])
})

test('tokens of desks stand by arrival, after the number of T that was the last one then', () => {
  const visits = [
    visitOf(3),
    desk('B', 1, 2, '20'),
    desk('A', 2, 2, '20'),
    visitOf(2),
    desk('A', 1, 2, '10'),
    desk('B', 2, 0, '00'),
    visitOf(1),
  ]
  const sorted = ['B-002', 'T-001', 'T-002', 'A-001', 'A-002', 'B-001', 'T-003']
  expect(visits.toSorted(byToken).map(({ token }) => token)).toEqual(sorted)
  expect(
    visits
      .toReversed()
      .toSorted(byToken)
      .map(({ token }) => token),
  ).toEqual(sorted)
})

test('visits without a decision are in the order of arrival, not of their sending', () => {
  const sent = desk('A', 1, 0, '10')
  const online = visitOf(1, { createdAt: '2026-11-20T05:30:00.000Z' })
  expect([online, sent].toSorted(oldestFirst)).toEqual([sent, online])
})

test('those who wait stand as in the line: those that only this desk has, called, by place, new by arrival, on hold and not here', () => {
  const at = (number: number, stage: Parameters<typeof queueOf>[0], more: object = {}, id = `v${number}`) =>
    visitOf(number, { id, queue: queueOf(stage, more) })
  const visits = [
    at(1, 'missed'),
    at(2, 'held'),
    at(3, 'new'),
    at(4, 'waiting'),
    at(5, 'waiting'),
    at(6, 'called', { calledAt: '2026-11-20T05:40:00.000Z' }),
    at(7, 'called', { calledAt: '2026-11-20T05:30:00.000Z' }),
    at(8, 'waiting'),
    at(9, 'new', {}, idOfUnsent('2026-11-20', 9)),
  ]
  const places = new Map([
    ['v4', 2],
    ['v5', 1],
  ])
  const sorted = visits.toSorted(byLine(places)).map(({ id }) => id)
  expect(sorted).toEqual([idOfUnsent('2026-11-20', 9), 'v7', 'v6', 'v5', 'v4', 'v8', 'v3', 'v2', 'v1'])
})
