import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { recordServerTime, serverNow } from './clock'

const hour = 3_600_000
const truth = Date.parse('2026-11-20T05:30:00.400Z')

/** A response of the server while the browser's clock is wrong by the given offset. */
function answerAt(timestamp: number, wrongBy: number) {
  vi.setSystemTime(timestamp + wrongBy)
  recordServerTime(new Date(timestamp).toUTCString(), Date.now() - 20, Date.now())
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test.each([hour, -hour])('a clock that is wrong by %i ms is corrected', (wrongBy) => {
  answerAt(truth, wrongBy)
  expect(Math.abs(serverNow() - truth)).toBeLessThan(1_000)
  answerAt(truth + 1_500, wrongBy)
  expect(Math.abs(serverNow() - truth - 1_500)).toBeLessThan(500)
})

test('a correct clock is used as it is, and a clock that is set later is noticed', () => {
  answerAt(truth, 0)
  expect(serverNow()).toBe(Date.now())
  answerAt(truth + 5_000, hour)
  expect(Math.abs(serverNow() - truth - 5_000)).toBeLessThan(1_000)
})

test('a response without a Date header changes nothing', () => {
  answerAt(truth, 0)
  recordServerTime(null, 0, 0)
  recordServerTime('yesterday', 0, 0)
  expect(serverNow()).toBe(Date.now())
})
