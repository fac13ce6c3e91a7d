import { expect, test } from 'vitest'
import { mostAttempts, reconnectDelay } from './backoff'

const never = () => 0
const always = () => 1

// S9.reconnect.01
test('a series has five attempts', () => {
  expect(mostAttempts).toBe(5)
})

// S9.reconnect.02
test('the first attempt waits one second and each further one twice as long', () => {
  expect([1, 2, 3, 4, 5].map((attempt) => reconnectDelay(attempt, never))).toEqual([
    1_000, 2_000, 4_000, 8_000, 16_000,
  ])
})

// S9.reconnect.03
test('jitter adds at most 30 %, and no delay exceeds 30 s', () => {
  expect(reconnectDelay(1, always)).toBe(1_300)
  expect(reconnectDelay(6, never)).toBe(30_000)
  expect(reconnectDelay(12, always)).toBe(30_000)
})

test('a delay from the server replaces the first one only', () => {
  expect(reconnectDelay(1, never, 2_500)).toBe(2_500)
  expect(reconnectDelay(2, never, 2_500)).toBe(2_000)
})
