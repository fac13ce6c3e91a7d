import { expect, test } from 'vitest'
import { isOpenAt, openingOn } from './opening-on'

const hours = [
  { days: 'Monday-Wednesday, Friday', open: '9:30 AM', close: '7 PM' },
  { days: 'Thursday', open: '12 PM', close: '20:00' },
  { days: 'Sunday', open: null, close: null },
]

test('the hours of a day are found in lists and ranges of days', () => {
  expect(openingOn({ hours }, '2026-11-24')).toEqual([{ from: '09:30', to: '19:00' }])
  expect(openingOn({ hours }, '2026-11-27')).toEqual([{ from: '09:30', to: '19:00' }])
  expect(openingOn({ hours }, '2026-11-26')).toEqual([{ from: '12:00', to: '20:00' }])
})

test('a closed day and one without an entry have no hours', () => {
  expect(openingOn({ hours }, '2026-11-29')).toEqual([])
  expect(openingOn({ hours }, '2026-11-28')).toEqual([])
})

test('the office is open from the first minute and closed at the last', () => {
  const opening = [{ from: '09:30', to: '19:00' }]
  expect(['09:29', '09:30', '18:59', '19:00'].map((time) => isOpenAt(opening, time))).toEqual([
    false,
    true,
    true,
    false,
  ])
  expect(isOpenAt([], '10:00')).toBe(false)
})

test('the office is open before, between and after its breaks, in whatever order they are written', () => {
  const breaks = [
    { from: '4 PM', to: '4:30 PM' },
    { from: '1 PM', to: '2 PM' },
  ]
  const spans = openingOn(
    { hours: [{ days: 'Monday-Friday', open: '9 AM', close: '7 PM', breaks }] },
    '2026-11-24',
  )
  expect(spans).toEqual([
    { from: '09:00', to: '13:00' },
    { from: '14:00', to: '16:00' },
    { from: '16:30', to: '19:00' },
  ])
  expect(['12:59', '13:00', '13:30', '14:00'].map((time) => isOpenAt(spans, time))).toEqual([
    true,
    false,
    false,
    true,
  ])
})

test('a special day goes before a yearly holiday, and a holiday before the hours of the weekday', () => {
  const times = {
    hours,
    yearly: [{ month: 1, day: 26, name: 'Republic Day' }],
    specialDays: [
      { date: '2028-01-26', name: 'Open house', open: '10 AM', close: '12 PM' },
      { date: '2027-01-27', name: 'Moving', open: null, close: null },
    ],
  }
  expect(openingOn(times, '2027-01-26')).toEqual([])
  expect(openingOn(times, '2027-01-27')).toEqual([])
  expect(openingOn(times, '2028-01-26')).toEqual([{ from: '10:00', to: '12:00' }])
  expect(openingOn(times, '2028-02-29')).toEqual([{ from: '09:30', to: '19:00' }])
})
