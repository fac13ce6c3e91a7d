import { expect, test } from 'vitest'
import { longDay } from './long-day'

test("a day is written in the office's format", () => {
  expect(longDay('2026-11-23')).toBe('Monday, 23 Nov 2026')
})

test('a year of five digits is shown as typed', () => {
  expect(longDay('12026-11-23')).toBe('12026-11-23')
})
