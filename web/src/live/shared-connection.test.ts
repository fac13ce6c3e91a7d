import { http, HttpResponse } from 'msw'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { server } from '@/test/server'
import type { ConnectionState } from './connection'
import { shareConnection } from './shared-connection'
import { eventually } from '@/test/eventually'

const identity = { userId: 'u1', role: 'pa' }
const open: { close: () => void }[] = []

/** A browser's locks: one holder, the others are queued. */
function stubLocks() {
  let held: Promise<unknown> = Promise.resolve()
  const request = (_name: string, { signal }: { signal: AbortSignal }, work: () => Promise<void>) => {
    const turn = held.then(() => (signal.aborted ? undefined : work()))
    held = turn
    return turn
  }
  Object.defineProperty(navigator, 'locks', { configurable: true, value: { request } })
}

let streams: { position: string | null; reader: ReadableStreamDefaultController<Uint8Array> }[] = []

beforeEach(() => {
  streams = []
  stubLocks()
  server.use(
    http.get('*/api/stream', ({ request }) => {
      const position = request.headers.get('Last-Event-ID')
      const body = new ReadableStream<Uint8Array>({
        start(reader) {
          streams.push({ position, reader })
          reader.enqueue(new TextEncoder().encode(': open\n\n'))
        },
      })
      return new HttpResponse(body, { headers: { 'Content-Type': 'text/event-stream' } })
    }),
  )
})

afterEach(() => {
  open.splice(0).forEach((tab) => tab.close())
  Reflect.deleteProperty(navigator, 'locks')
})

function openTab() {
  const received: string[] = []
  let state: ConnectionState = { connected: false, exhausted: false }
  const tab = shareConnection(identity, {
    onEvent: (event) => received.push(event.type),
    onState: (next) => (state = next),
    onRejected: () => undefined,
  })
  open.push(tab)
  return { tab, received, connected: () => state.connected }
}

const send = (type: string, id: string, stream = streams.at(-1)) =>
  stream?.reader.enqueue(new TextEncoder().encode(`id: ${id}\ndata: {"type":"${type}","data":{}}\n\n`))

test('two tabs share one stream, and both receive its events and its state', async () => {
  const first = openTab()
  await eventually(() => expect(first.connected()).toBe(true))
  const second = openTab()
  await eventually(() => expect(second.connected()).toBe(true))
  send('heartbeat', 'visits=e:1')
  await eventually(() => expect(second.received).toEqual(['heartbeat']))
  expect(first.received).toEqual(['heartbeat'])
  expect(streams).toHaveLength(1)
})

test('when the tab with the stream closes, the other resumes at the last position', async () => {
  const first = openTab()
  await eventually(() => expect(first.connected()).toBe(true))
  const second = openTab()
  await eventually(() => expect(second.connected()).toBe(true))
  send('heartbeat', 'visits=e:5')
  await eventually(() => expect(second.received).toHaveLength(1))
  first.tab.close()
  await eventually(() => expect(streams).toHaveLength(2))
  expect(streams[1]?.position).toBe('visits=e:5')
})
