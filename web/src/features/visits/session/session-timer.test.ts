import { expect, test } from 'vitest'
import { queueOf, visitOf } from '@/test/fixtures'
import { elapsed, uninterruptedStart } from './session-timer'

test('the timer of a session that was on hold goes on from the sum of its stretches', () => {
  const session = visitOf(1, {
    startedAt: '2026-11-20T05:00:00Z',
    queue: queueOf('in-session', { satSince: '2026-11-20T06:00:00Z', sessionSeconds: 600 }),
  })
  expect(elapsed(uninterruptedStart(session), Date.parse('2026-11-20T06:01:05Z'))).toBe('11:05')
})
