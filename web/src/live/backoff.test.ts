import { expect, test } from 'vitest'
import { mostAttempts, reconnectDelay } from './backoff'

const never = () => 0
const always = () => 1

test('a series has five attempts (S9.reconnect.01)', () => {
  expect(mostAttempts).toBe(5)
})

test('the first attempt waits one second and each further one twice as long (S9.reconnect.02)', () => {
  expect([1, 2, 3, 4, 5].map((attempt) => reconnectDelay(attempt, never))).toEqual([
    1_000, 2_000, 4_000, 8_000, 16_000,
  ])
})

test('chance adds at most 30 %, and no wait is longer than 30 s (S9.reconnect.03)', () => {
  expect(reconnectDelay(1, always)).toBe(1_300)
  expect(reconnectDelay(6, never)).toBe(30_000)
  expect(reconnectDelay(12, always)).toBe(30_000)
})

test('the wait that a server asks for replaces the first one only', () => {
  expect(reconnectDelay(1, never, 2_500)).toBe(2_500)
  expect(reconnectDelay(2, never, 2_500)).toBe(2_000)
})
