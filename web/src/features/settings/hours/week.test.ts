import { expect, test } from 'vitest'
import { fieldTime, writtenTime } from './clock'
import { daysOf, nextBreak, withBreaks, withDays, withEntry, withOpen } from './week'

const hours = [
  { days: 'Monday-Friday', open: '9 AM', close: '7 PM' },
  { days: 'Saturday', open: '9 AM', close: '5 PM' },
  { days: 'Sunday', open: null, close: null },
]

test('times of the document are those of the fields and back', () => {
  for (const [written, field] of [
    ['12 AM', '00:00'],
    ['9 AM', '09:00'],
    ['9:30 AM', '09:30'],
    ['12 PM', '12:00'],
    ['12:05 PM', '12:05'],
    ['11:59 PM', '23:59'],
  ] as const) {
    expect(fieldTime(written)).toBe(field)
    expect(writtenTime(field)).toBe(written)
  }
  expect([fieldTime('14:00'), fieldTime(null), fieldTime('noon'), writtenTime('')]).toEqual([
    '14:00',
    '',
    '',
    '',
  ])
})

test('days are written as the document has them', () => {
  expect(daysOf([0, 1, 2, 3, 4])).toBe('Monday-Friday')
  expect(daysOf([6, 5])).toBe('Saturday, Sunday')
  expect(daysOf([0, 2, 3, 4, 6])).toBe('Monday, Wednesday-Friday, Sunday')
  expect(daysOf([])).toBe('')
})

test('a day that another entry takes leaves its own one, and an entry without a day goes', () => {
  expect(withDays(hours, 0, [0, 1, 2, 3, 4, 5]).map(({ days }) => days)).toEqual([
    'Monday-Saturday',
    'Sunday',
  ])
  expect(withDays(hours, 1, [4, 5]).map(({ days }) => days)).toEqual([
    'Monday-Thursday',
    'Friday, Saturday',
    'Sunday',
  ])
})

test('a new entry is for the days that none has', () => {
  expect(withEntry(hours.slice(0, 1)).at(-1)).toEqual({
    days: 'Saturday, Sunday',
    open: '9 AM',
    close: '6 PM',
  })
  expect(withEntry(hours).at(-1)?.days).toBe('')
})

test('a day that closes has no breaks, and one that opens has usual times', () => {
  const entry = { days: 'Monday', open: '9 AM', close: '7 PM', breaks: [{ from: '1 PM', to: '2 PM' }] }
  expect(withOpen(entry, false)).toEqual({ days: 'Monday', open: null, close: null })
  expect(withOpen({ days: 'Sunday', open: null, close: null }, true)).toMatchObject({ open: '9 AM' })
})

test('breaks stand in their order, and a day without breaks has no list', () => {
  const entry = { open: '9 AM', close: '7 PM' }
  const lunch = { from: '1 PM', to: '2 PM' }
  const early = { from: '11 AM', to: '11:15 AM' }
  expect(withBreaks(entry, [lunch, early]).breaks).toEqual([early, lunch])
  expect(withBreaks({ ...entry, breaks: [lunch] }, [])).toEqual(entry)
  expect(nextBreak([])).toEqual(lunch)
  expect(nextBreak([lunch])).toEqual({ from: '3 PM', to: '4 PM' })
})
