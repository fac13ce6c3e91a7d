import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import type { LiveEvent } from '@/api/types'
import { keys } from '@/storage'
import { server } from '@/test/server'
import { readStream, StreamRefused } from './stream'

const identity = { userId: 'u1', role: 'pa' }
const nothing = () => undefined

function serve(body: string, status = 200) {
  const asked: Request[] = []
  server.use(
    http.get('*/api/stream', ({ request }) => {
      asked.push(request)
      return new HttpResponse(body, { status, headers: { 'Content-Type': 'text/event-stream' } })
    }),
  )
  return asked
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

test('the stream is requested with role, id, token and last position (S7.stream.01-02)', async () => {
  localStorage.setItem(keys.token, 'a-token')
  const asked = serve('')
  await read('visits=e:7')
  const url = new URL(asked[0]?.url ?? '')
  expect(url.searchParams.get('role')).toBe('pa')
  expect(url.searchParams.get('user_id')).toBe('u1')
  expect(asked[0]?.headers.get('Last-Event-ID')).toBe('visits=e:7')
  expect(asked[0]?.headers.get('Authorization')).toBe('Bearer a-token')
})

test('each frame is an event with its position; other frames are skipped (S3.event.01)', async () => {
  serve(
    'retry: 2500\n\nid: visits=e:8\ndata: {"type":"heartbeat","data":{}}\n\ndata: not json\n\nid: visits=e:9\ndata: {"type":"status_update","data":{"reset":true}}\n\n',
  )
  const { events, retries } = await read()
  expect(events).toEqual([
    [{ type: 'heartbeat', data: {} }, 'visits=e:8'],
    [{ type: 'status_update', data: { reset: true } }, 'visits=e:9'],
  ])
  expect(retries).toEqual([2_500])
})

test('a response that is not a stream is rejected with its status', async () => {
  serve('', 403)
  await expect(read()).rejects.toEqual(new StreamRefused(403))
})

test('a comment before a frame names the trace of that frame alone', async () => {
  const trace = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
  serve(
    `: traceparent ${trace}\nid: visits=e:8\ndata: {"type":"heartbeat","data":{}}\n\nid: visits=e:9\ndata: {"type":"heartbeat","data":{}}\n\n: hello\n\n`,
  )
  const traces: (string | undefined)[] = []
  const handlers = {
    onOpen: nothing,
    onEvent: (_event: LiveEvent, _at: string, named?: string) => traces.push(named),
    onRetry: nothing,
  }
  await readStream(identity, undefined, handlers, new AbortController().signal)
  expect(traces).toEqual([trace, undefined])
})
