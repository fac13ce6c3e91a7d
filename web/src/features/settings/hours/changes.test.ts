import { expect, test } from 'vitest'
import { values } from '@/test/settings'
import { partSentences } from './changes'

const { hours } = values

test('a time of a version is named with the days of its entry', () => {
  const changes = [
    { key: '/hours/1/close', before: '5 PM', after: '4 PM' },
    { key: '/board/next', before: 1, after: 2 },
  ]
  expect(partSentences(changes, hours)).toEqual({
    sentences: ['Saturday closes at 4:00 PM, not 5:00 PM'],
    left: changes.slice(1),
  })
})

test('a day that closes has one sentence', () => {
  const changes = [
    { key: '/hours/1/close', before: '5 PM', after: null },
    { key: '/hours/1/open', before: '9 AM', after: null },
  ]
  expect(partSentences(changes, hours).sentences).toEqual(['Saturday: closed, not open 9:00 AM to 5:00 PM'])
})

test('without the value of the version, an entry is named by its own change or by its number', () => {
  const opens = { key: '/hours/0/open', before: '9 AM', after: '10 AM' }
  const days = { key: '/hours/0/days', before: 'Monday-Friday', after: 'Monday-Thursday' }
  expect(partSentences([opens], undefined).sentences).toEqual([
    'Opening hours 1 opens at 10:00 AM, not 9:00 AM',
  ])
  expect(partSentences([days, opens], undefined).sentences).toEqual([
    'Monday-Thursday, Days: Monday-Thursday, not Monday-Friday',
    'Monday-Thursday opens at 10:00 AM, not 9:00 AM',
  ])
})

test('breaks and dates are in words', () => {
  const special = { ...hours, specialDays: [{ date: '2027-01-02', name: 'Moving', open: null, close: null }] }
  const changes = [
    { key: '/hours/0/breaks', before: null, after: [{ from: '1 PM', to: '2 PM' }] },
    { key: '/specialDays/0/date', before: '2027-01-01', after: '2027-01-02' },
  ]
  expect(partSentences(changes, special).sentences).toEqual([
    'Monday-Friday, break: 1:00 PM to 2:00 PM, not nothing',
    'Moving, Date: 2 Jan 2027, not 1 Jan 2027',
  ])
})
