import type { LiveEvent } from '@/api/types'
import { inBackground } from '@/in-background'
import { report } from '@/telemetry/report'
import { Connection, type ConnectionHandlers, type ConnectionState } from './connection'
import { readStream, type Identity } from './stream'

/** Messages between the tab with the stream and the browser's other tabs. */
type Message =
  | { kind: 'hello' }
  | { kind: 'wake' }
  | { kind: 'interrupt' }
  | { kind: 'state'; state: ConnectionState }
  | { kind: 'event'; event: LiveEvent; position: string }
  | { kind: 'rejected'; status: number }

/**
 * One stream for all tabs of a browser, which allows six connections per origin: a few dashboards would use them up.
 * The tab that holds the lock reads the stream and broadcasts it. When that tab closes, another tab resumes at the
 * last position that it received.
 */
export function shareConnection(identity: Identity, handlers: ConnectionHandlers) {
  const name = `baari.live.${identity.userId}.${identity.role}`
  const channel = new BroadcastChannel(name)
  const closing = new AbortController()
  let leader: Connection | undefined
  /** The last state that this tab has reported as the leading tab; undefined before the first report. */
  let found: ConnectionState | undefined
  let position: string | undefined

  const post = (message: Message) => channel.postMessage(message)

  const onEvent = (event: LiveEvent, at: string, trace?: string) => {
    if (at) position = at
    handlers.onEvent(event, at, trace)
  }

  const lead = () => {
    let lost = false
    leader = new Connection(
      identity,
      position,
      {
        onState: (state) => {
          if (state.connected && lost) report.reconnect()
          lost = !state.connected
          found = state
          post({ kind: 'state', state })
          handlers.onState(state)
        },
        onEvent: (event, at, trace) => {
          post({ kind: 'event', event, position: at })
          onEvent(event, at, trace) // Only the leading tab reports the trace
        },
        onRejected: (status) => {
          post({ kind: 'rejected', status })
          handlers.onRejected(status)
        },
      },
      { read: readStream, chance: Math.random },
    )
    leader.open()
  }

  const receive = (message: Message) => {
    if (message.kind === 'hello' && found) post({ kind: 'state', state: found })
    if (message.kind === 'wake') leader?.wake()
    if (message.kind === 'interrupt') leader?.interrupt()
    if (leader) return
    if (message.kind === 'state') handlers.onState(message.state)
    if (message.kind === 'event') onEvent(message.event, message.position)
    if (message.kind === 'rejected') handlers.onRejected(message.status)
  }

  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => receive(data))
  post({ kind: 'hello' })
  inBackground(holdLock(name, lead, closing.signal))

  return {
    wake() {
      leader?.wake()
      post({ kind: 'wake' })
    },
    interrupt() {
      leader?.interrupt()
      post({ kind: 'interrupt' })
    },
    close() {
      leader?.close()
      closing.abort()
      channel.close()
    },
  }
}

/**
 * Calls `lead` once this tab holds the lock, and holds it until the signal aborts. Without support for locks, each tab
 * calls `lead`.
 */
async function holdLock(name: string, lead: () => void, closing: AbortSignal) {
  const locks = (navigator as Partial<Navigator>).locks
  if (!locks) {
    lead()
    return
  }
  try {
    await locks.request(name, { signal: closing }, () => {
      lead()
      return new Promise<void>((release) => closing.addEventListener('abort', () => release()))
    })
  } catch (cause) {
    // Closing while queued for the lock rejects the request.
    if (!closing.aborted) throw cause
  }
}
