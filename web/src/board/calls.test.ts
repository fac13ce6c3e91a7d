import { expect, test } from 'vitest'
import { currentForMs, currentOf, earlierOf, mostCalls, withCall, type Call } from './calls'

const call = (number: number, at: number, more: Partial<Call> = {}): Call => ({
  callId: `v${number}:${at}`,
  visitId: `v${number}`,
  token: `T-${number}`,
  counter: '1',
  at,
  callCount: 1,
  language: 'en',
  ...more,
})

test('the newest call comes first, a repeated one replaces that of its visit, and eight are kept', () => {
  let calls: Call[] = []
  for (let number = 1; number <= 2_000; number += 1) calls = withCall(calls, call(number, number))
  expect(calls).toHaveLength(mostCalls)
  expect(calls[0]?.token).toBe('T-2000')
  calls = withCall(calls, call(1_997, 2_001))
  expect(calls.map(({ visitId }) => visitId).filter((id) => id === 'v1997')).toHaveLength(1)
  expect(calls[0]?.token).toBe('T-1997')
})

test('a call is the current one for two minutes, then an earlier one', () => {
  const calls = [call(2, 10_000), call(1, 5_000)]
  const current = currentOf(calls, 10_000 + currentForMs - 1)
  expect(current?.token).toBe('T-2')
  expect(earlierOf(calls, current, []).map(({ token }) => token)).toEqual(['T-1'])
  expect(currentOf(calls, 10_000 + currentForMs)).toBeNull()
  expect(earlierOf(calls, null, []).map(({ token }) => token)).toEqual(['T-2', 'T-1'])
  expect(earlierOf(calls, null, [{ token: 'T-2', counter: '1' }]).map(({ token }) => token)).toEqual(['T-1'])
  expect(currentOf([], 0)).toBeNull()
})
