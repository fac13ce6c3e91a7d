import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Connection, newSeriesMs, type ConnectionState } from './connection'
import { StreamRejected, type StreamHandlers } from './stream'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A server that can be unavailable, and the states that the connection reports. */
function setUp() {
  const opened: { position: string | undefined; handlers: StreamHandlers; end: (cause?: Error) => void }[] =
    []
  const states: ConnectionState[] = []
  const rejections: number[] = []
  const server: { answer: 'open' | 'unavailable' | 'silent' | number } = { answer: 'unavailable' }
  let tries = 0

  const connection = new Connection(
    { userId: 'u', role: 'pa' },
    undefined,
    {
      onState: (state) => states.push(state),
      onEvent: () => undefined,
      onRejected: (status) => rejections.push(status),
    },
    {
      chance: () => 0,
      read: (_identity, position, handlers) => {
        tries += 1
        if (typeof server.answer === 'number') return Promise.reject(new StreamRejected(server.answer))
        if (server.answer === 'unavailable') return Promise.reject(new Error('unavailable'))
        if (server.answer === 'open') handlers.onOpen()
        return new Promise((resolve, reject) => {
          opened.push({ position, handlers, end: (cause) => (cause ? reject(cause) : resolve()) })
        })
      },
    },
  )
  return { connection, server, opened, states, rejections, tries: () => tries }
}

// S4.live.01
test('connected from the opening of the stream, disconnected from its failure on', async () => {
  const { connection, server, opened, states } = setUp()
  server.answer = 'open'
  connection.open()
  expect(connection.state.connected).toBe(true)
  opened[0]?.end(new Error('broken'))
  await vi.advanceTimersByTimeAsync(0)
  expect(connection.state).toEqual({ connected: false, exhausted: false })
  expect(states).toHaveLength(2)
})

// S4.live.02, S8.toast.23
test('it retries after 1, 2, 4, 8 and 16 seconds and gives up after the fifth failure', async () => {
  const { connection, tries } = setUp()
  connection.open()
  await vi.advanceTimersByTimeAsync(0)
  const after: number[] = []
  for (const seconds of [1, 2, 4, 8, 16]) {
    await vi.advanceTimersByTimeAsync(seconds * 1_000 - 1)
    expect(connection.state.exhausted).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    after.push(tries())
  }
  expect(after).toEqual([2, 3, 4, 5, 6])
  expect(connection.state.exhausted).toBe(true)
})

test('after a failed series a new one begins every minute, or at once when the user returns', async () => {
  const { connection, server, tries } = setUp()
  connection.open()
  await vi.advanceTimersByTimeAsync(31_000)
  expect(tries()).toBe(6)
  await vi.advanceTimersByTimeAsync(newSeriesMs)
  expect(tries()).toBe(7)
  server.answer = 'open'
  connection.wake()
  expect(connection.state).toEqual({ connected: true, exhausted: false })
})

test('a user who returns during an attempt does not wait for the rest of the old series', async () => {
  const { connection, server, opened, tries } = setUp()
  connection.open()
  await vi.advanceTimersByTimeAsync(1_000 + 2_000 + 4_000 + 8_000)
  server.answer = 'silent'
  await vi.advanceTimersByTimeAsync(16_000)
  connection.wake()
  expect(tries()).toBe(6)
  opened[0]?.end(new Error('the network changed'))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(tries()).toBe(7)
})

test('a reopened stream resets the count and resumes at the last position', async () => {
  const { connection, server, opened, tries } = setUp()
  server.answer = 'open'
  connection.open()
  opened[0]?.handlers.onEvent({ type: 'heartbeat', data: {} }, 'visits=e:7')
  server.answer = 'unavailable'
  opened[0]?.end(new Error('broken'))
  await vi.advanceTimersByTimeAsync(1_000 + 2_000)
  server.answer = 'open'
  await vi.advanceTimersByTimeAsync(4_000)
  expect(opened[1]?.position).toBe('visits=e:7')
  opened[1]?.end()
  const before = tries()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(tries()).toBe(before + 1)
})

test('a server that closes with a retry delay is called again after it', async () => {
  const { connection, server, opened, tries } = setUp()
  server.answer = 'open'
  connection.open()
  opened[0]?.handlers.onRetry(3_000)
  opened[0]?.end()
  await vi.advanceTimersByTimeAsync(2_999)
  expect(tries()).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(tries()).toBe(2)
})

test('a rejection of the session is reported, so that the session is checked again', async () => {
  const { connection, server, rejections } = setUp()
  server.answer = 403
  connection.open()
  await vi.advanceTimersByTimeAsync(0)
  expect(rejections).toEqual([403])
})

test('a closed connection never reconnects', async () => {
  const { connection, tries } = setUp()
  connection.open()
  await vi.advanceTimersByTimeAsync(0)
  connection.close()
  await vi.advanceTimersByTimeAsync(600_000)
  connection.wake()
  expect(tries()).toBe(1)
})

test('an interruption reports the stream as lost at once and opens it anew', async () => {
  const { connection, server, states, tries } = setUp()
  server.answer = 'open'
  connection.open()
  connection.interrupt()
  expect(states.at(-1)).toEqual({ connected: false, exhausted: false })
  connection.interrupt()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(states.at(-1)?.connected).toBe(true)
  expect(tries()).toBe(2)
})
