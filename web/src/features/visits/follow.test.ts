import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Bodies, Visit } from '@/api/types'
import { visitOf } from '@/test/fixtures'
import { follow } from './follow'

type Answer = Bodies['VisitsAnswer']

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const key = ['visits', 'today']
const completed = (n: number, over: Partial<Visit> = {}) => visitOf(n, { status: 'completed', ...over })

/** A cached list whose server gives these answers, in order. */
function setUp() {
  const client = new QueryClient()
  const asked: (string | undefined)[] = []
  const read = (answer: Answer) =>
    client.fetchQuery({
      queryKey: key,
      queryFn: ({ signal: _signal, ...context }) =>
        follow(context, ({ since }) => {
          asked.push(since)
          return Promise.resolve(answer)
        }),
      staleTime: 0,
    })
  return { client, asked, read }
}

const whole = (position: string, ...visits: Visit[]): Answer => ({ visits, removed: [], reset: true, position })
const changes = (position: string, visits: Visit[], removed: string[] = []): Answer => ({
  visits,
  removed,
  reset: false,
  position,
})
const tokens = (visits: Visit[]) => visits.map(({ token }) => token)

test('the first request is for the whole list, the next ones are for what changed after the last answer', async () => {
  const { asked, read } = setUp()
  await read(whole('p1', completed(1), completed(2)))
  await read(changes('p2', []))
  await read(changes('p3', []))
  expect(asked).toEqual([undefined, 'p1', 'p2'])
})

test('changed visits are replaced, new ones are put in the order of tokens, removed ones leave', async () => {
  const { read } = setUp()
  await read(whole('p1', completed(1), completed(2), completed(1000, { token: 'T-1000' })))
  const list = await read(
    changes('p2', [completed(3), completed(2, { version: 9, name: 'Asha' })], [completed(1).id]),
  )
  expect(tokens(list)).toEqual(['T-002', 'T-003', 'T-1000'])
  expect(list[0]?.name).toBe('Asha')
})

test('a reset replaces the list', async () => {
  const { read } = setUp()
  await read(whole('p1', completed(1), completed(2)))
  expect(tokens(await read(whole('p2', completed(7))))).toEqual(['T-007'])
})

test('the list of a release without positions is read in whole each time', async () => {
  const { asked, read } = setUp()
  await read({ visits: [completed(1)] })
  expect(tokens(await read({ visits: [completed(2)] }))).toEqual(['T-002'])
  expect(asked).toEqual([undefined, undefined])
})

test('a visit that the user has changed meanwhile is kept where the answer does not have it', async () => {
  const { client, read } = setUp()
  await read(whole('p1', completed(1)))
  client.setQueryData<Visit[]>(key, (list) => [...(list ?? []), completed(2)])
  expect(tokens(await read(changes('p2', [])))).toEqual(['T-001', 'T-002'])
})

const forecast = (range: Visit['queue']['forecast']) =>
  visitOf(1, { queue: { ...visitOf(1).queue, stage: 'waiting', forecast: range } })
const range = { from: null, to: null, likely: null, early: false, note: null, madeAt: '' } as unknown as NonNullable<
  Visit['queue']['forecast']
>

test('a visit without a forecast is asked for again until it has one', async () => {
  const { asked, read } = setUp()
  await read(whole('p1', completed(2)))
  await read(changes('p2', [forecast(null)]))
  await read(changes('p3', [forecast(range)]))
  await read(changes('p4', []))
  expect(asked).toEqual([undefined, 'p1', 'p1', 'p3'])
})

test('while visitors wait, the list is read in whole every half a minute', async () => {
  const { asked, read } = setUp()
  await read(whole('p1', forecast(range)))
  vi.advanceTimersByTime(20_000)
  await read(changes('p2', []))
  vi.advanceTimersByTime(10_000)
  await read(whole('p3', forecast(range)))
  vi.advanceTimersByTime(10_000)
  await read(changes('p4', []))
  expect(asked).toEqual([undefined, 'p1', undefined, 'p3'])
})
