import type { BoardCallEvent, LiveEvent } from '@/api/types'
import { Connection } from '@/live/connection'
import { readStream } from '@/live/stream'
import type { Call } from './calls'

type Handlers = {
  onCall: (call: Call) => void
  /** Called when the content of the board may have changed. */
  onChange: () => void
  /** Called for each frame that arrives. */
  onAlive: () => void
  onConnected: (connected: boolean) => void
  onRevoked: () => void
}

const unauthorized = 401
const tryAgainMs = 10_000

/** Follows the stream of a screen while the page is open. */
export function follow(device: { id: string; token: string }, handlers: Handlers) {
  const identity = { userId: device.id, role: 'display', token: device.token }
  const connection = new Connection(
    identity,
    undefined,
    {
      onState: ({ connected }) => handlers.onConnected(connected),
      onRejected: (status) => {
        if (status !== unauthorized) return
        connection.close()
        clearInterval(timer)
        handlers.onRevoked()
      },
      onEvent: (event) => received(event, handlers),
    },
    { read: readStream, chance: Math.random },
  )
  // The server may be unavailable for hours, but a board's delay between attempts stays short.
  const timer = setInterval(() => connection.wake(), tryAgainMs)
  addEventListener('online', () => connection.wake())
  addEventListener('offline', () => connection.interrupt())
  connection.open()
}

function received(event: LiveEvent | BoardCallEvent, handlers: Handlers) {
  handlers.onAlive()
  if (event.type === 'visit_called' && 'callId' in event.data) {
    const { counter = null, at, language = '', ...call } = event.data
    handlers.onCall({ ...call, counter, at: Date.parse(at), language })
    handlers.onChange()
  }
  if (event.type === 'status_update' || event.type === 'connection') handlers.onChange()
}
