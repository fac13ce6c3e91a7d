import { expect, test } from 'vitest'
import { officeTime } from './office-time'

const time = officeTime('Asia/Kolkata')

test.each([
  ['09:00', '9:00 AM'],
  ['12:00', '12:00 PM'],
  ['17:00', '5:00 PM'],
])('a preferred time of %s is formatted as %s', (preferred, written) => {
  expect(time.timeOf(preferred)).toBe(written)
})

test("a timestamp is formatted in the office's time zone", () => {
  const midnight = '2026-11-20T18:30:00Z'
  expect([time.day(midnight), time.time(midnight)]).toEqual(['21 Nov 2026', '12:00 AM'])
})
