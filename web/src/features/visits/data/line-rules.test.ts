import { expect, test } from 'vitest'
import { placeOf } from '@/test/fixtures'
import { laterToday, timeIn } from './later-today'
import { movedBefore, neighbourFor } from './line-order'
import { reasonsOf } from './reason-words'

const line = [placeOf(1, 11), placeOf(2, 12), placeOf(3, 13)]
const order = (places: readonly { token: string; position: number }[]) =>
  places.map(({ token, position }) => `${position} ${token}`)

test('a visitor who is moved before another has the places counted again', () => {
  expect(order(movedBefore(line, 'visit-13', 'visit-11'))).toEqual(['1 T-013', '2 T-011', '3 T-012'])
  expect(movedBefore(line, 'visit-13', 'gone')).toBe(line)
})

test('a place up or down is before a neighbour, and no move goes behind the last', () => {
  expect(neighbourFor(line, 'visit-12', -1)).toBe('visit-11')
  expect(neighbourFor(line, 'visit-11', 1)).toBe('visit-13')
  expect(neighbourFor(line, 'visit-12', 1)).toBeUndefined()
  expect(neighbourFor(line, 'visit-11', -1)).toBeUndefined()
})

test('each reason of a place is a sentence; those of a newer server are left out', () => {
  const place = placeOf(1, 11, {
    reasons: [
      { code: 'first_by_due', values: {} },
      { code: 'must_go', values: { bypassed: 3 } },
      { code: 'class', values: { class: 'priority', minutes: 10 } },
      { code: 'appointment', values: { slot: '2026-11-20T05:30:00Z' } },
      { code: 'moved', values: { by: 'Rekha', reason: 'Short matter' } },
      { code: 'weather' as 'moved', values: {} },
    ],
  })
  expect(reasonsOf(place, () => '11:00 AM')).toBe(
    'Was passed 3 times and must be next. Priority: 10 min at most. Appointment at 11:00 AM. ' +
      'Moved by Rekha: Short matter',
  )
})

test("a time of day is a moment of today in the office's zone, and never in the past", () => {
  const now = Date.parse('2026-11-20T05:30:20Z') // 11:00:20 in the office
  expect(laterToday('11:30', now, 'Asia/Kolkata')).toBe('2026-11-20T06:00:00.000Z')
  expect(laterToday('10:59', now, 'Asia/Kolkata')).toBeUndefined()
  expect(laterToday('', now, 'Asia/Kolkata')).toBeUndefined()
  expect(timeIn(30, now, 'Asia/Kolkata')).toBe('11:35')
})
