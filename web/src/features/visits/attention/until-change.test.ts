import { expect, test } from 'vitest'
import { untilChange } from './until-change'

const now = Date.parse('2026-11-20T05:30:00.000Z')

test.each([
  [null, false],
  [undefined, false],
  ['2026-11-20T05:30:10.000Z', 10_500],
  ['2026-11-20T05:29:50.000Z', 1_000],
])('a list that changes at %s is read again in %s ms', (nextAt, milliseconds) => {
  expect(untilChange(nextAt, now)).toBe(milliseconds)
})
