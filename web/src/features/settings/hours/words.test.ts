import { expect, test } from 'vitest'
import { values } from '@/test/settings'
import { hoursSentences } from './words'

const { hours: before } = values

test('days that change in the same way have one sentence', () => {
  const hours = [
    { days: 'Monday-Saturday', open: '9 AM', close: '4 PM' },
    { days: 'Sunday', open: '10 AM', close: '1 PM' },
  ]
  expect(hoursSentences(before, { ...before, hours })).toEqual([
    'Monday, Tuesday, Wednesday, Thursday, Friday closes at 4:00 PM, not 7:00 PM',
    'Saturday closes at 4:00 PM, not 5:00 PM',
    'Sunday: open 10:00 AM to 1:00 PM, not closed',
  ])
})

test('a break is named with the spans around it', () => {
  const breaks = [{ from: '1 PM', to: '2 PM' }]
  const hours = before.hours.with(1, { days: 'Saturday', open: '9 AM', close: '5 PM', breaks })
  expect(hoursSentences(before, { ...before, hours })).toEqual([
    'Saturday: open 9:00 AM to 1:00 PM, 2:00 PM to 5:00 PM, not open 9:00 AM to 5:00 PM',
  ])
})

test('holidays and single days are added and removed', () => {
  const republic = { month: 1, day: 26, name: 'Republic Day' }
  const moving = { date: '2027-01-01', name: 'Moving', open: null, close: null }
  const after = { ...before, yearly: [republic], specialDays: [moving] }
  expect(hoursSentences(before, after)).toEqual([
    '26 January Republic Day is added',
    '1 Jan 2027, closed, Moving is added',
  ])
  expect(hoursSentences(after, before)).toEqual([
    '26 January Republic Day is removed',
    '1 Jan 2027, closed, Moving is removed',
  ])
})
