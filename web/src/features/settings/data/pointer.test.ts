import { expect, test } from 'vitest'
import { areSame, memberOf, valueAt, withValueAt } from './pointer'

const value = { hours: [{ days: 'Sunday', open: null }], texts: { 'a/b': { 'c~d': 1 } } }

test('a value is found by its pointer, also with escaped names', () => {
  expect(valueAt(value, '/hours/0/days')).toBe('Sunday')
  expect(valueAt(value, memberOf(memberOf('/texts', 'a/b'), 'c~d'))).toBe(1)
  expect(valueAt(value, '')).toBe(value)
  expect(valueAt(value, '/hours/1/days')).toBeUndefined()
  expect(valueAt(value, '/hours/0/open/from')).toBeUndefined()
})

test('a value is replaced in a copy, and objects on the way are made', () => {
  const changed = withValueAt(value, '/hours/0/open', '9 AM')
  expect(changed.hours).toEqual([{ days: 'Sunday', open: '9 AM' }])
  expect(changed.texts).toBe(value.texts)
  expect(value.hours[0]?.open).toBeNull()
  expect(withValueAt({}, '/features/debug', true)).toEqual({ features: { debug: true } })
})

test('values are the same in whatever order their members are, but lists have an order', () => {
  expect(areSame({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 })).toBe(true)
  expect(areSame({ a: 1, b: undefined }, { a: 1 })).toBe(true)
  expect(areSame([1, 2], [2, 1])).toBe(false)
})
