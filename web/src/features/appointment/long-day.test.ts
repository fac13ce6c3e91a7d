import { expect, test } from 'vitest'
import { longDay } from './long-day'

test('a day is said as the office says it', () => {
  expect(longDay('2026-11-23')).toBe('Monday, 23 Nov 2026')
})

test('a year that no calendar knows stays as it was typed', () => {
  expect(longDay('12026-11-23')).toBe('12026-11-23')
})
