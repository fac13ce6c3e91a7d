import { http, HttpResponse } from 'msw'
import { expect, test, vi } from 'vitest'
import type { LiveEvent } from '@/api/types'
import { keys } from '@/storage'
import { server } from '@/test/server'
import { readStream, StreamRejected } from './stream'

const identity = { userId: 'u1', role: 'pa' }
const nothing = () => undefined

function serve(body: string, status = 200) {
  const requests: Request[] = []
  server.use(
    http.get('*/api/stream', ({ request }) => {
      requests.push(request)
      return new HttpResponse(body, { status, headers: { 'Content-Type': 'text/event-stream' } })
    }),
  )
  return requests
}

async function read(position?: string) {
  const events: [LiveEvent, string][] = []
  const retries: number[] = []
  const handlers = {
    onOpen: nothing,
    onEvent: (event: LiveEvent, at: string) => events.push([event, at]),
    onRetry: (milliseconds: number) => retries.push(milliseconds),
  }
  await readStream(identity, position, handlers, new AbortController().signal)
  return { events, retries }
}

// S7.stream.01-02
test('the stream is requested with role, id, token and last position', async () => {
  localStorage.setItem(keys.token, 'a-token')
  const requests = serve('')
  await read('visits=e:7')
  const url = new URL(requests[0]?.url ?? '')
  expect(url.searchParams.get('role')).toBe('pa')
  expect(url.searchParams.get('user_id')).toBe('u1')
  expect(requests[0]?.headers.get('Last-Event-ID')).toBe('visits=e:7')
  expect(requests[0]?.headers.get('Authorization')).toBe('Bearer a-token')
})

// S3.event.01
test('each frame is an event with its position; other frames are skipped', async () => {
  const frames = [
    'retry: 2500',
    'id: visits=e:8\ndata: {"type":"heartbeat","data":{}}',
    'data: not json',
    'id: visits=e:8\ndata: {"type":"board_changed","data":{}}',
    'id: visits=e:9\ndata: {"type":"status_update","data":{"reset":true}}',
  ]
  serve(frames.map((frame) => `${frame}\n\n`).join(''))
  const { events, retries } = await read()
  expect(events).toEqual([
    [{ type: 'heartbeat', data: {} }, 'visits=e:8'],
    [{ type: 'status_update', data: { reset: true } }, 'visits=e:9'],
  ])
  expect(retries).toEqual([2_500])
})

test('a response that is not a stream is rejected with its status', async () => {
  serve('', 403)
  await expect(read()).rejects.toEqual(new StreamRejected(403))
})

test('a comment before a frame names the trace of that frame alone', async () => {
  const trace = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
  const frames = [
    `: traceparent ${trace}\nid: visits=e:8\ndata: {"type":"heartbeat","data":{}}`,
    'id: visits=e:9\ndata: {"type":"heartbeat","data":{}}',
    ': hello',
  ]
  serve(frames.map((frame) => `${frame}\n\n`).join(''))
  const traces: (string | undefined)[] = []
  const handlers = {
    onOpen: nothing,
    onEvent: (_event: LiveEvent, _at: string, named?: string) => traces.push(named),
    onRetry: nothing,
  }
  await readStream(identity, undefined, handlers, new AbortController().signal)
  expect(traces).toEqual([trace, undefined])
})

/** Serves a stream that is silent after its first frames. */
function serveSilence(frames: string) {
  server.use(
    http.get('*/api/stream', () => {
      const body = new ReadableStream<Uint8Array>({
        start: (reader) => reader.enqueue(new TextEncoder().encode(frames)),
      })
      return new HttpResponse(body, {
        headers: { 'Content-Type': 'text/event-stream', 'Content-Length': '1000000000' },
      })
    }),
  )
}

test.each([
  ['three seconds after a heartbeat of 5 s that did not arrive', { heartbeatSeconds: 5 }, 8_000],
  ['18 s after the last frame of a server that does not send its interval', {}, 18_000],
])('a silent stream ends %s', async (_when, data, limit) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const connection = { type: 'connection', data: { connectionId: 'c', activeConnections: 1, ...data } }
  serveSilence(`id: visits=e:8\ndata: ${JSON.stringify(connection)}\n\n`)
  const opened = Promise.withResolvers<undefined>()
  const handlers = { onOpen: nothing, onEvent: () => opened.resolve(undefined), onRetry: nothing }
  const ended = vi.fn()
  const reading = readStream(identity, undefined, handlers, new AbortController().signal).catch(ended)
  await opened.promise
  await vi.advanceTimersByTimeAsync(limit - 1)
  expect(ended).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  await reading
  expect(ended).toHaveBeenCalledTimes(1)
  vi.useRealTimers()
})

test('a handler that throws ends the stream', async () => {
  const stream = Promise.withResolvers<AbortSignal>()
  const body = new ReadableStream({
    start: (source) => source.enqueue(new TextEncoder().encode('data: {"type":"heartbeat","data":{}}\n\n')),
  })
  vi.spyOn(globalThis, 'fetch').mockImplementation((_input, { signal } = {}) => {
    if (signal) stream.resolve(signal)
    return Promise.resolve(new Response(body))
  })
  const onEvent = () => {
    throw new Error('an unexpected event')
  }
  const handlers = { onOpen: nothing, onEvent, onRetry: nothing }
  await expect(readStream(identity, undefined, handlers, new AbortController().signal)).rejects.toThrow(
    'an unexpected event',
  )
  expect((await stream.promise).aborted).toBe(true)
})
