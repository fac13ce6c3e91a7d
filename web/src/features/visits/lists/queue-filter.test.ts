import { expect, test } from 'vitest'
import { queueOf, visitOf } from '@/test/fixtures'
import { countsOf, isIn, matches } from './queue-filter'

const visit = visitOf(33, { name: 'Asha 7', phone: '9876543333' })
const other = visitOf(133, { phone: '9133330033' })

test.each(['T33', '33', 't-033', 'T-033', 't33', 'T-33', '033'])(
  '%s finds T-033 and no other token',
  (word) => {
    expect(matches(visit, word)).toBe(true)
    expect(matches(other, word)).toBe(false)
  },
)

test.each(['A7', 'a-007', 'a7', 'A-7'])('%s finds the token of desk A and not T-007', (word) => {
  const ofDesk = visitOf(7, { token: 'A-007' })
  expect(matches(ofDesk, word)).toBe(true)
  expect(matches(visitOf(7), word)).toBe(false)
  expect(matches(visitOf(12, { tokenAlso: 'A-007' }), word)).toBe(true)
})

test('a number alone finds the token of every series, and T7 finds no token of a desk', () => {
  const ofDesk = visitOf(7, { token: 'A-007' })
  expect(matches(ofDesk, '7')).toBe(true)
  expect(matches(visitOf(7), '7')).toBe(true)
  expect(matches(ofDesk, 't7')).toBe(false)
})

test('up to three digits are a token, more digits are a part of a phone number', () => {
  expect(matches(visit, '987')).toBe(false)
  expect(matches(visit, '9876')).toBe(true)
  expect(matches(visit, '3333')).toBe(true)
  expect(matches(visitOf(1033), '1033')).toBe(true)
})

test('every word must occur, and the beginning of a token finds it while it is typed', () => {
  expect(matches(visit, 'asha itr')).toBe(true)
  expect(matches(visit, 'asha gst')).toBe(false)
  expect(matches(visit, 't-')).toBe(true)
  expect(matches(visit, 't-03')).toBe(true)
})

test('each visit is in one list and in the list of all', () => {
  const visits = [
    visitOf(1),
    visitOf(2, { status: 'approved', queue: queueOf('held') }),
    visitOf(3, { status: 'in-session', queue: queueOf('in-session') }),
    visitOf(4, { status: 'completed', queue: queueOf('completed') }),
    visitOf(5, { status: 'denied', queue: queueOf('left') }),
  ]
  expect(countsOf(visits)).toEqual({ waiting: 2, 'in-session': 1, done: 2, all: 5 })
  expect(visits.map((one) => isIn('done', one))).toEqual([false, false, false, true, true])
  expect(visits.every((one) => isIn('all', one))).toBe(true)
})

test.each([
  '+91 98111 22233',
  '098111 22233',
  '98111-22233',
  '98111 222',
  '+91-98111',
  '\u202a+91 98111 22233\u202c',
])('%s finds the stored number', (typed) => {
  const deSouza = visitOf(4, { name: 'Maria D’Souza', phone: '9811122233' })
  expect(matches(deSouza, typed)).toBe(true)
  expect(matches(visitOf(5, { phone: '9876543210' }), typed)).toBe(false)
})

test.each(["D'Souza", 'd’souza', "maria d'sou", 'D`Souza'])(
  '%s finds a name with any apostrophe',
  (typed) => {
    expect(matches(visitOf(4, { name: 'Maria D’Souza' }), typed)).toBe(true)
    expect(matches(visitOf(4, { name: "Maria D'Souza" }), typed)).toBe(true)
    expect(matches(visitOf(4, { name: 'Maria Souza' }), typed)).toBe(false)
  },
)
