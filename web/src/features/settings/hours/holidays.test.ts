import { expect, test } from 'vitest'
import { isIn, withHolidays } from './holidays'

const value = {
  hours: [{ days: 'Monday-Friday', open: '9 AM', close: '7 PM' }],
  yearly: [{ month: 8, day: 15, name: 'Independence Day' }],
  specialDays: [],
}
const republic = { month: 1, day: 26, name: 'Republic Day', texts: { hi: 'गणतंत्र दिवस' }, national: true }
const holi = { month: null, day: null, name: 'Holi', texts: { hi: 'होली' }, national: false }

test('a fixed holiday of the list becomes a yearly day, in the order of the year', () => {
  expect(withHolidays(value, [republic]).yearly).toEqual([
    { month: 1, day: 26, name: 'Republic Day', texts: { hi: 'गणतंत्र दिवस' } },
    ...value.yearly,
  ])
})

test('a movable holiday becomes a closed day whose date is to be entered', () => {
  const next = withHolidays(value, [holi])
  expect(next.specialDays).toEqual([
    { date: '', name: 'Holi', texts: { hi: 'होली' }, open: null, close: null },
  ])
  expect([isIn(value, holi), isIn(next, holi), isIn(next, republic)]).toEqual([false, true, false])
})

test('a holiday that is there is not added again', () => {
  const own = { ...republic, month: 8, day: 15 }
  expect(withHolidays(value, [own])).toEqual(value)
})
