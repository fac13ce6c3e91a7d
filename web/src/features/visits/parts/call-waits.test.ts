import { expect, test } from 'vitest'
import { queueOf, visitOf } from '@/test/fixtures'
import { callWaits } from './call-waits'

const at = Date.parse('2026-11-20T05:30:00.000Z')
const after = (seconds: number) => new Date(at + seconds * 1_000).toISOString()
const call = {
  recallAt: after(10),
  missAt: after(60),
  nudgeAt: after(120),
  autoRecallAt: null,
  autoMissAt: null,
  bySystem: false,
}
const called = visitOf(1, { queue: queueOf('called', { call }) })

test('a wait ends half a second after the time of the server, never before it', () => {
  expect(callWaits(called, at)).toEqual({ recall: 11, miss: 61 })
  expect(callWaits(called, at + 10_000).recall).toBe(1)
  expect(callWaits(called, at + 10_500)).toEqual({ recall: 0, miss: 50 })
})

test('without a call, and of a server without these times, nothing waits', () => {
  expect(callWaits(undefined, at)).toEqual({ recall: 0, miss: 0 })
  expect(callWaits(visitOf(1, { queue: queueOf('called') }), at)).toEqual({ recall: 0, miss: 0 })
})
