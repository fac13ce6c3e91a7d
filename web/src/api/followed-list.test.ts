import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { followed } from './followed-list'

type Row = { id: string; at: number; version: number; whole?: boolean }
type Answer = { rows: Row[]; removed?: string[]; reset?: boolean; position?: string }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const row = (id: string, at: number, more: Partial<Row> = {}): Row => ({ id, at, version: 1, ...more })
const whole = (position: string, ...rows: Row[]): Answer => ({ rows, removed: [], reset: true, position })
const changes = (position: string, rows: Row[], removed: string[] = []): Answer => ({
  rows,
  removed,
  reset: false,
  position,
})

/**
 * A followed list on a screen. If the list has a row with the id `old`, the whole list is requested again after ten
 * seconds.
 */
function setUp() {
  const client = new QueryClient()
  const asked: (string | undefined)[] = []
  const answers: (() => Promise<Answer>)[] = []
  const queryKey = ['list']
  const observer = new QueryObserver(client, {
    queryKey,
    ...followed<Row>({
      read: ({ since }) => {
        asked.push(since)
        return (answers.shift() ?? missing)()
      },
      order: (one, other) => one.at - other.at,
      agesIn: (rows) => (rows.some(({ id }) => id === 'old') ? 10_000 : Infinity),
      isIncomplete: (one) => one.whole === false,
    }),
    enabled: false,
  })
  observer.subscribe(() => undefined)
  return {
    asked,
    /** Makes the server answer the next request with `answer`, and returns the rows on the screen. */
    read: async (answer: Answer, meanwhile?: () => void) => {
      answers.push(() => {
        meanwhile?.()
        return Promise.resolve(answer)
      })
      return (await observer.refetch()).data ?? []
    },
    change: (edit: (rows: Row[]) => Row[]) =>
      client.setQueryData<{ rows: Row[] }>(queryKey, (list) => list && { ...list, rows: edit(list.rows) }),
  }
}

const missing = () => Promise.reject(new Error('no answer is prepared'))

const ids = (rows: Row[]) => rows.map(({ id }) => id)

test('the first request is for the whole list, the next ones are for what changed after the last answer', async () => {
  const { asked, read } = setUp()
  await read(whole('p1', row('a', 1)))
  await read(changes('p2', []))
  await read(changes('p3', []))
  expect(asked).toEqual([undefined, 'p1', 'p2'])
})

test('changed rows are replaced, new ones are put where they belong, those that left are removed', async () => {
  const { read } = setUp()
  await read(whole('p1', row('a', 1), row('b', 2), row('d', 4)))
  const list = await read(changes('p2', [row('c', 3), row('b', 2, { version: 2 })], ['a']))
  expect(ids(list)).toEqual(['b', 'c', 'd'])
  expect(list[0]?.version).toBe(2)
})

test('a row that did not change keeps its identity, and so does a list without a change', async () => {
  const { read } = setUp()
  const before = await read(whole('p1', row('a', 1), row('b', 2)))
  const after = await read(changes('p2', [row('b', 2, { version: 2 })]))
  expect(after[0]).toBe(before[0])
  expect(after[1]).not.toBe(before[1])
  expect(await read(changes('p3', []))).toBe(after)
  expect(await read(whole('p4', row('a', 1), row('b', 2, { version: 2 })))).toBe(after)
})

test('a whole list replaces the one before', async () => {
  const { read } = setUp()
  await read(whole('p1', row('a', 1), row('b', 2)))
  expect(ids(await read(whole('p2', row('c', 3))))).toEqual(['c'])
})

test('the list of a server without positions is requested in whole each time', async () => {
  const { asked, read } = setUp()
  await read({ rows: [row('a', 1)] })
  expect(ids(await read({ rows: [row('b', 2)] }))).toEqual(['b'])
  expect(asked).toEqual([undefined, undefined])
})

test('of a row that changed during the request, the higher version stays', async () => {
  const { read, change } = setUp()
  await read(whole('p1', row('a', 1)))
  const mine = (rows: Row[]) => [...rows.map((one) => ({ ...one, version: 3 })), row('b', 2)]
  const list = await read(changes('p2', [row('a', 1, { version: 2 })]), () => change(mine))
  expect(list).toEqual([row('a', 1, { version: 3 }), row('b', 2)])
})

test('an incomplete row is requested again until it is complete', async () => {
  const { asked, read } = setUp()
  await read(whole('p1', row('a', 1)))
  await read(changes('p2', [row('b', 2, { whole: false })]))
  await read(changes('p3', [row('b', 2, { whole: true })]))
  await read(changes('p4', []))
  expect(asked).toEqual([undefined, 'p1', 'p1', 'p3'])
})

test('a list whose rows age is requested in whole again, but not with every change', async () => {
  const { asked, read } = setUp()
  await read(whole('p1', row('a', 1)))
  await read(changes('p2', [row('old', 2)]))
  vi.advanceTimersByTime(9_000)
  await read(changes('p3', [row('old', 2, { version: 2 })]))
  vi.advanceTimersByTime(1_000)
  await read(whole('p4', row('old', 2, { version: 2 })))
  await read(changes('p5', []))
  expect(asked).toEqual([undefined, 'p1', 'p2', undefined, 'p4'])
})
