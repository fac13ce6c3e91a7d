import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createReporter, everyMs, share } from './report'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

type Sent = {
  items: { kind: string; name: string; value: number; screen?: string; traceparent?: string; ago?: number }[]
}

function setUp({ path = '/dashboard/pa', chance = 0 } = {}) {
  const sent: Sent['items'][] = []
  const send = (body: string) => {
    expect(body.length).toBeLessThan(4096)
    sent.push((JSON.parse(body) as Sent).items)
  }
  return {
    sent,
    reporter: createReporter({ send, path: () => path, chance: () => chance, now: () => Date.now() }),
  }
}

test('measurements are reported together, once a minute', () => {
  const { sent, reporter } = setUp()
  reporter.vital('LCP', 812)
  reporter.shown(40, '00-a-b-01')
  vi.advanceTimersByTime(1000)
  reporter.asked(70, '00-c-d-01')
  reporter.reconnect()
  reporter.reconnect()
  expect(sent).toEqual([])
  vi.advanceTimersByTime(everyMs)
  expect(sent).toEqual([
    [
      { kind: 'reconnect', name: 'stream', value: 2, screen: '/dashboard/pa' },
      { kind: 'vital', name: 'LCP', value: 812, screen: '/dashboard/pa' },
      {
        kind: 'shown',
        name: 'event',
        value: 40,
        screen: '/dashboard/pa',
        traceparent: '00-a-b-01',
        ago: 60_000,
      },
      {
        kind: 'asked',
        name: 'request',
        value: 70,
        screen: '/dashboard/pa',
        traceparent: '00-c-d-01',
        ago: 59_000,
      },
    ],
  ])
  vi.advanceTimersByTime(10 * everyMs)
  expect(sent).toHaveLength(1)
})

test('pages outside of the sample report errors and lost streams only', () => {
  const { sent, reporter } = setUp({ chance: share })
  reporter.vital('LCP', 812)
  reporter.shown(40)
  reporter.asked(70, '00-c-d-01')
  reporter.flush()
  expect(sent).toEqual([])
  reporter.error(new TypeError('x'))
  reporter.flush()
  expect(sent).toEqual([[{ kind: 'error', name: 'TypeError', value: 1, screen: '/dashboard/pa' }]])
})

test('a report identifies no person: no error message, and no path but those of screens', () => {
  const { sent, reporter } = setUp({ path: '/visitor/Asha Menon' })
  const named = new Error('Asha Menon 9876543210')
  named.name = 'Asha Menon'
  reporter.error(named)
  reporter.error('9876543210')
  reporter.flush()
  expect(sent).toEqual([[{ kind: 'error', name: 'Error', value: 2 }]])
})

test('a burst of errors and events makes a small report', () => {
  const { sent, reporter } = setUp({ path: '/dashboard/receptionist' })
  for (let turn = 0; turn < 5000; turn += 1) reporter.error(new RangeError('x'))
  for (let turn = 0; turn < 19; turn += 1) reporter.asked(10_000, `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`)
  vi.advanceTimersByTime(59_999)
  reporter.flush()
  expect(sent).toHaveLength(1)
  expect(sent[0]).toHaveLength(20)
  expect(sent[0]?.[0]).toEqual({
    kind: 'error',
    name: 'RangeError',
    value: 1000,
    screen: '/dashboard/receptionist',
  })
})
