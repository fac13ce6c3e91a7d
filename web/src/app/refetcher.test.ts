import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { burstMs, createRefetcher } from './refetcher'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

async function setUp(took = 0) {
  const client = new QueryClient()
  const requests = { visible: 0, hidden: 0 }
  const read = (which: keyof typeof requests) => async () => {
    requests[which] += 1
    await new Promise((resolve) => setTimeout(resolve, took))
    return requests[which]
  }
  new QueryObserver(client, { queryKey: ['list'], queryFn: read('visible'), staleTime: Infinity }).subscribe(
    () => undefined,
  )
  const hidden = client.query({ queryKey: ['other'], queryFn: read('hidden'), staleTime: Infinity })
  await vi.advanceTimersByTimeAsync(took)
  await hidden
  return { client, requests, refetcher: createRefetcher(client) }
}

test('one event causes one request, and only for queries on the screen', async () => {
  const { client, requests, refetcher } = await setUp()
  refetcher.add([['list'], ['other']])
  await vi.advanceTimersByTimeAsync(burstMs)
  expect(requests).toEqual({ visible: 2, hidden: 1 })
  expect(client.getQueryState(['other'])?.isInvalidated).toBe(true)
})

test('a burst of events causes one request', async () => {
  const { requests, refetcher } = await setUp()
  for (let event = 0; event < 50; event += 1) refetcher.add([['list']])
  await vi.advanceTimersByTimeAsync(burstMs)
  expect(requests.visible).toBe(2)
})

test('the first event does not wait, and a burst after it causes one more request', async () => {
  const { requests, refetcher } = await setUp()
  refetcher.add([['list']])
  await vi.advanceTimersByTimeAsync(0)
  expect(requests.visible).toBe(2)
  for (let event = 0; event < 50; event += 1) refetcher.add([['list']])
  await vi.advanceTimersByTimeAsync(burstMs - 1)
  expect(requests.visible).toBe(2)
  await vi.advanceTimersByTimeAsync(1)
  expect(requests.visible).toBe(3)
})

test('a query invalidated during its request is requested once more afterwards', async () => {
  const took = 500
  const { requests, refetcher } = await setUp(took)
  refetcher.add([['list']])
  await vi.advanceTimersByTimeAsync(burstMs)
  for (let event = 0; event < 10; event += 1) {
    refetcher.add([['list']])
    await vi.advanceTimersByTimeAsync(burstMs)
  }
  expect(requests.visible).toBe(2)
  await vi.advanceTimersByTimeAsync(took + burstMs)
  expect(requests.visible).toBe(3)
})

test('without events there are no requests', async () => {
  const { requests } = await setUp()
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(requests).toEqual({ visible: 1, hidden: 1 })
})

test('a waiting event is resolved when its responses are there, also behind an in-flight request', async () => {
  const took = 500
  const { refetcher } = await setUp(took)
  const notified: string[] = []
  refetcher.add([['list']], () => notified.push('first'))
  await vi.advanceTimersByTimeAsync(burstMs)
  refetcher.add([['list']], () => notified.push('second'))
  await vi.advanceTimersByTimeAsync(burstMs)
  expect(notified).toEqual([])
  await vi.advanceTimersByTimeAsync(took - burstMs)
  expect(notified).toEqual(['first'])
  await vi.advanceTimersByTimeAsync(took + burstMs)
  expect(notified).toEqual(['first', 'second'])
})
