import { createParser } from 'eventsource-parser'
import { sessionStore } from '@/api/session-store'
import type { LiveEvent } from '@/api/types'

/** A stream counts as dead this long after a missing heartbeat. */
const graceMs = 3_000
/** The interval of heartbeats if the server does not send it. */
const usualHeartbeatSeconds = 15

/** The longest silence of a stream that is alive, in milliseconds. */
export const silenceMs = (heartbeatSeconds = usualHeartbeatSeconds) => heartbeatSeconds * 1_000 + graceMs

/** The response had an error status, or no body. */
export class StreamRejected extends Error {
  override readonly name = 'StreamRejected'
  readonly status: number

  constructor(status: number) {
    super(`The live stream answered ${status}`)
    this.status = status
  }
}

/** The reader of the stream. A screen has a token of its own; staff use the token of their session. */
export type Identity = { userId: string; role: string; token?: string }

export type StreamHandlers = {
  onOpen: () => void
  /** `trace`: the trace of the change, if the server records it. */
  onEvent: (event: LiveEvent, position: string, trace?: string) => void
  /** Called with the delay that the server asks for before a reconnect. */
  onRetry: (milliseconds: number) => void
}

/**
 * Reads one stream to its end, from a position if there is one. Resolves when the server closes it; rejects when it
 * cannot be opened, breaks, times out or is aborted by the signal.
 */
export async function readStream(
  { userId, role, token }: Identity,
  position: string | undefined,
  handlers: StreamHandlers,
  signal: AbortSignal,
): Promise<void> {
  const over = new AbortController()
  const watch = silenceWatch(() => over.abort(new Error('The live stream fell silent')))
  try {
    const response = await fetch(addressOf(userId, role), {
      headers: headersOf(position, token ?? sessionStore.token()),
      cache: 'no-store',
      signal: AbortSignal.any([signal, over.signal]),
    })
    if (!response.ok || !response.body) throw new StreamRejected(response.status)
    handlers.onOpen()
    const parser = parserFor({
      ...handlers,
      onEvent: (event, at, trace) => {
        if (event.type === 'connection') watch.expect(event.data.heartbeatSeconds)
        handlers.onEvent(event, at, trace)
      },
    })
    for await (const text of iterate(response.body.pipeThrough(new TextDecoderStream()))) {
      watch.reset()
      parser.feed(text)
    }
  } finally {
    watch.stop()
    // If a handler has thrown, nothing reads the stream any more, so it is closed.
    over.abort()
  }
}

/** A comment in the stream, before an event, carries the event's trace. */
function parserFor({ onEvent, onRetry }: Pick<StreamHandlers, 'onEvent' | 'onRetry'>) {
  let trace: string | undefined
  return createParser({
    onRetry,
    onComment: (comment) => {
      trace = /^ ?traceparent ([0-9a-f-]{55})$/.exec(comment)?.[1]
    },
    onEvent: ({ data, id }) => {
      const event = eventOf(data)
      if (event) onEvent(event, id ?? '', trace)
      trace = undefined
    },
  })
}

const addressOf = (userId: string, role: string) =>
  `/api/stream?${new URLSearchParams({ role, user_id: userId }).toString()}`

function headersOf(position: string | undefined, token: string | null): HeadersInit {
  return {
    Accept: 'text/event-stream',
    ...(token ? { Authorization: `Bearer ${token}` } : {}),
    ...(position ? { 'Last-Event-ID': position } : {}),
  }
}

/** Not every supported browser has an async iterator on streams. */
async function* iterate<T>(stream: ReadableStream<T>) {
  const reader = stream.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    reader.releaseLock()
  }
}

function silenceWatch(onSilence: () => void) {
  let limit = silenceMs()
  let timer = setTimeout(onSilence, limit)
  const reset = () => {
    clearTimeout(timer)
    timer = setTimeout(onSilence, limit)
  }
  return {
    reset,
    /** Sets the interval of the server's heartbeats. Older servers do not send the interval. */
    expect(heartbeatSeconds: number | undefined) {
      limit = silenceMs(heartbeatSeconds)
      reset()
    },
    stop: () => clearTimeout(timer),
  }
}

/** Skips a frame that is not a known event: a newer server may send more types. */
function eventOf(data: string): LiveEvent | undefined {
  try {
    const value: unknown = JSON.parse(data)
    const isKnown =
      typeof value === 'object' && value !== null && 'type' in value && String(value.type) in known
    return isKnown ? (value as LiveEvent) : undefined
  } catch {
    return undefined
  }
}

const known: Record<LiveEvent['type'], true> = {
  connection: true,
  heartbeat: true,
  visit_created: true,
  visit_approved: true,
  visit_denied: true,
  visit_called: true,
  visit_in_session: true,
  visit_completed: true,
  status_update: true,
  notification: true,
}
