import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { heardServerTime, serverNow } from './clock'

const hour = 3_600_000
const truth = Date.parse('2026-11-20T05:30:00.400Z')

/** An answer of the server while the browser's clock is wrong by so much. */
function answerAt(moment: number, wrongBy: number) {
  vi.setSystemTime(moment + wrongBy)
  heardServerTime(new Date(moment).toUTCString(), Date.now() - 20, Date.now())
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test.each([hour, -hour])('a clock that is wrong by %i ms does not show', (wrongBy) => {
  answerAt(truth, wrongBy)
  expect(Math.abs(serverNow() - truth)).toBeLessThan(1_000)
  answerAt(truth + 1_500, wrongBy)
  expect(Math.abs(serverNow() - truth - 1_500)).toBeLessThan(500)
})

test('a clock that is right is taken as it is, and one that was set anew is noticed', () => {
  answerAt(truth, 0)
  expect(serverNow()).toBe(Date.now())
  answerAt(truth + 5_000, hour)
  expect(Math.abs(serverNow() - truth - 5_000)).toBeLessThan(1_000)
})

test('an answer without a date says nothing', () => {
  answerAt(truth, 0)
  heardServerTime(null, 0, 0)
  heardServerTime('yesterday', 0, 0)
  expect(serverNow()).toBe(Date.now())
})
