import { expect, test } from 'vitest'
import { barsOf, periodOf } from './period'

const today = '2026-11-20'
const periodIn = (query: string) => periodOf(new URLSearchParams(query), today)

test('an address has a number of days, or two days', () => {
  expect(periodIn('days=1')).toEqual({ start: today, end: today, preset: 1 })
  expect(periodIn('days=30')).toEqual({ start: '2026-10-22', end: today, preset: 30 })
  expect(periodIn('from=2026-03-01&to=2026-03-31')).toEqual({
    start: '2026-03-01',
    end: '2026-03-31',
    preset: null,
  })
})

test.each([
  '',
  'days=5',
  'from=2026-11-02&to=2026-11-01',
  'from=2020-01-01&to=2026-01-01',
  'from=x&to=y',
  'from=2026-11-01',
])('an invalid period becomes the last week: %s', (query) =>
  expect(periodIn(query)).toEqual({ start: '2026-11-14', end: today, preset: 7 }),
)

test('days without visits have a bar', () => {
  const days = [{ day: '2026-11-19', total_visits: 4, completed_visits: 3 }]
  expect(
    barsOf({ start: '2026-11-18', end: today }, days).map(({ first, visits, completed }) => [
      first,
      visits,
      completed,
    ]),
  ).toEqual([
    ['2026-11-18', 0, 0],
    ['2026-11-19', 4, 3],
    ['2026-11-20', 0, 0],
  ])
})

test('a long period has a bar for each week, and the last one is shorter', () => {
  const days = ['2026-01-01', '2026-01-07', '2026-04-10'].map((day) => ({
    day,
    total_visits: 1,
    completed_visits: 0,
  }))
  const bars = barsOf({ start: '2026-01-01', end: '2026-04-10' }, days)
  expect(bars).toHaveLength(15)
  expect(bars[0]).toEqual({ first: '2026-01-01', last: '2026-01-07', visits: 2, completed: 0 })
  expect(bars.at(-1)).toEqual({ first: '2026-04-09', last: '2026-04-10', visits: 1, completed: 0 })
})
