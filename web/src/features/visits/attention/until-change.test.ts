import { expect, test } from 'vitest'
import { untilChange } from './until-change'

const now = Date.parse('2026-11-20T05:30:00.000Z')

test.each([
  [null, false],
  ['2026-11-20T05:30:10.000Z', 10_500],
  ['2026-11-20T05:29:50.000Z', 1_000],
])('a list that changes at %s is read again in %s ms', (nextAt, milliseconds) => {
  expect(untilChange({ status: 'success', data: { nextAt } }, now)).toBe(milliseconds)
})

test('a list that was never read waits for its first answer', () => {
  expect(untilChange({ status: 'pending', data: undefined }, now)).toBe(false)
})

test.each([undefined, { nextAt: '2026-11-20T05:29:50.000Z' }])(
  'a list that cannot be read is not asked for every second',
  (data) => {
    expect(untilChange({ status: 'error', data }, now)).toBe(30_000)
  },
)
