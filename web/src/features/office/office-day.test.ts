import { expect, test } from 'vitest'
import { officeDay } from './office-day'

// S5.appt.08: the earliest preferred date is the day in the office's time zone, not in the visitor's.
test("the office's day changes at the office's midnight", () => {
  expect(officeDay(new Date('2026-11-20T18:29:59Z'), 'Asia/Kolkata')).toBe('2026-11-20')
  expect(officeDay(new Date('2026-11-20T18:30:00Z'), 'Asia/Kolkata')).toBe('2026-11-21')
})

test('months and days have two digits', () => {
  expect(officeDay(new Date('2026-01-05T06:00:00Z'), 'Asia/Kolkata')).toBe('2026-01-05')
})
