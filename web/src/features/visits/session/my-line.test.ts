import { expect, test } from 'vitest'
import { mine, placeOf, queueOf, visitOf } from '@/test/fixtures'
import { isAssigned, rowsOf } from './my-line'

const waiting = (number: number) => visitOf(number, { ...mine, status: 'approved' })
const called = visitOf(1, { ...mine, status: 'approved', queue: queueOf('called') })

const ids = (rows: ReturnType<typeof rowsOf>) => rows.map(({ id }) => id)

test('the called visitor is first, then the line in its order, then visitors without a place', () => {
  const rows = rowsOf([waiting(4), waiting(3), called], [placeOf(1, 7), placeOf(2, 3)])
  expect(ids(rows)).toEqual(['visit-1', 'visit-7', 'visit-3', 'visit-4'])
  expect(rows.map(isAssigned)).toEqual([true, false, true, true])
})

test('a place of a visit that is known to wait no more is left out', () => {
  const held = visitOf(2, { ...mine, status: 'approved', queue: queueOf('held') })
  expect(ids(rowsOf([held, called], [placeOf(1, 1), placeOf(2, 2), placeOf(3, 3)]))).toEqual([
    'visit-1',
    'visit-3',
  ])
})

test('a change sends the newer version of the visit and the place', () => {
  const [row] = rowsOf([{ ...waiting(3), version: 5 }], [placeOf(1, 3, { version: 2 })])
  expect(row?.version).toBe(5)
})
