import { expect, test } from 'vitest'
import { isIn, withHolidays } from './holidays'

const today = '2026-11-20'

const value = {
  hours: [{ days: 'Monday-Friday', open: '9 AM', close: '7 PM' }],
  yearly: [{ month: 8, day: 15, name: 'Independence Day' }],
  specialDays: [],
}
const republic = { month: 1, day: 26, name: 'Republic Day', texts: { hi: 'गणतंत्र दिवस' }, national: true }
const holi = { month: null, day: null, name: 'Holi', texts: { hi: 'होली' }, national: false }

test('a fixed holiday of the list becomes a yearly day, in the order of the year', () => {
  expect(withHolidays(value, [republic], today).yearly).toEqual([
    { month: 1, day: 26, name: 'Republic Day', texts: { hi: 'गणतंत्र दिवस' } },
    ...value.yearly,
  ])
})

test('a movable holiday becomes a closed day whose date is to be entered', () => {
  const next = withHolidays(value, [holi], today)
  expect(next.specialDays).toEqual([
    { date: '', name: 'Holi', texts: { hi: 'होली' }, open: null, close: null },
  ])
  expect([value, next].map((one) => isIn(one, holi, today))).toEqual([false, true])
  expect(isIn(next, republic, today)).toBe(false)
})

test('a holiday that is there is not added again', () => {
  const own = { ...republic, month: 8, day: 15 }
  expect(withHolidays(value, [own], today)).toEqual(value)
})

test('a movable holiday can be added again when its day is over', () => {
  const on = (date: string) => ({
    ...value,
    specialDays: [{ date, name: 'Holi', open: null, close: null }],
  })
  expect(isIn(on('2027-03-22'), holi, today)).toBe(true)
  expect(withHolidays(on('2026-03-04'), [holi], today).specialDays).toHaveLength(2)
})

test('a holiday without a name in another language has no list of them', () => {
  const next = withHolidays(
    value,
    [
      { ...republic, texts: {} },
      { ...holi, texts: {} },
    ],
    today,
  )
  expect(next.yearly[0]).toEqual({ month: 1, day: 26, name: 'Republic Day' })
  expect(next.specialDays).toEqual([{ date: '', name: 'Holi', open: null, close: null }])
})
