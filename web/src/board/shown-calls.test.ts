import { expect, test } from 'vitest'
import type { Call } from './calls'
import { ShownCalls } from './shown-calls'

const call = (number: number, at: number): Call => ({
  callId: `v${number}:${at}`,
  visitId: `v${number}`,
  token: `T-${number}`,
  counter: '1',
  at,
  callCount: 1,
  language: 'en',
})

const tokens = ({ all }: ShownCalls) => all.map(({ token }) => token)

test('an answer removes what it lacks, and a call of the stream since its request stays until the next one', () => {
  const shown = new ShownCalls([call(9, 900)])
  shown.hear(call(1, 1_000))
  const first = shown.request()
  shown.hear(call(2, 2_000))
  shown.answer(first, [])
  expect(tokens(shown)).toEqual(['T-2'])
  const second = shown.request()
  shown.answer(second, [])
  expect(tokens(shown)).toEqual([])
})

test('an older answer never replaces a newer one', () => {
  const shown = new ShownCalls()
  const [first, second] = [shown.request(), shown.request()]
  expect(shown.answer(second, [call(2, 2_000)])).toBe(true)
  expect(shown.answer(first, [call(1, 1_000)])).toBe(false)
  expect(tokens(shown)).toEqual(['T-2'])
})

test('a late call of the stream does not replace a later one of the same visitor', () => {
  const shown = new ShownCalls()
  shown.answer(shown.request(), [call(1, 2_000)])
  shown.hear(call(1, 1_000))
  expect(shown.all.map(({ at }) => at)).toEqual([2_000])
})

test('a call is gone when it is not shown though newer than the oldest that is', () => {
  const shown = new ShownCalls()
  shown.answer(
    shown.request(),
    [18, 17, 16, 15, 14, 13, 12, 11].map((number) => call(number, number)),
  )
  expect(shown.isGone(call(1, 1))).toBe(false)
  expect(shown.isGone(call(20, 20))).toBe(true)
  expect(shown.isGone(call(18, 18))).toBe(false)
  shown.answer(shown.request(), [])
  expect(shown.isGone(call(1, 1))).toBe(true)
})
