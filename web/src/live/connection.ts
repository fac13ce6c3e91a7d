import type { LiveEvent } from '@/api/types'
import { inBackground } from '@/in-background'
import { firstDelayMs, mostAttempts, reconnectDelay } from './backoff'
import { StreamRejected, type readStream, type Identity } from './stream'

/**
 * The time after a failed series of reconnects until the next one. The events `focus` and `online` start a series at
 * once.
 */
export const newSeriesMs = 60_000

export type ConnectionState = {
  connected: boolean
  /** Whether a whole series of reconnects has failed, and the stream has not opened since. */
  exhausted: boolean
}

export type ConnectionHandlers = {
  onState: (state: ConnectionState) => void
  onEvent: (event: LiveEvent, position: string, trace?: string) => void
  /** Called when the stream was rejected because of the session, not because the server is unavailable. */
  onRejected: (status: number) => void
}

type Tools = { read: typeof readStream; chance: () => number }

/** Keeps one stream open. Resumes it after an interruption, in series of attempts with growing delays. */
export class Connection {
  #state: ConnectionState = { connected: false, exhausted: false }
  #attempt = 0
  #firstDelay = firstDelayMs
  #timer: ReturnType<typeof setTimeout> | undefined
  #abort: AbortController | undefined
  readonly #identity: Identity
  readonly #handlers: ConnectionHandlers
  readonly #tools: Tools
  #position: string | undefined

  constructor(identity: Identity, position: string | undefined, handlers: ConnectionHandlers, tools: Tools) {
    this.#identity = identity
    this.#position = position
    this.#handlers = handlers
    this.#tools = tools
  }

  get state() {
    return this.#state
  }

  open() {
    inBackground(this.#run())
  }

  close() {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#abort?.abort()
    this.#abort = undefined
  }

  /** Called when the network is lost or a request got no response. The stream counts as lost, and is opened again. */
  interrupt() {
    if (!this.#state.connected) return
    this.#abort?.abort()
    this.#broke()
  }

  /** Starts a new series at once. If an attempt is running, the series starts when the attempt fails. */
  wake() {
    if (this.#state.connected) return
    this.#attempt = 0
    if (this.#timer === undefined) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    inBackground(this.#run())
  }

  async #run() {
    const abort = new AbortController()
    this.#abort = abort
    this.#timer = undefined
    try {
      await this.#tools.read(
        this.#identity,
        this.#position,
        {
          onOpen: () => this.#opened(),
          onEvent: (event, position, trace) => this.#received(event, position, trace),
          onRetry: (milliseconds) => (this.#firstDelay = milliseconds),
        },
        abort.signal,
      )
    } catch (cause) {
      if (cause instanceof StreamRejected && (cause.status === 401 || cause.status === 403)) {
        this.#handlers.onRejected(cause.status)
      }
    }
    if (!abort.signal.aborted) this.#broke()
  }

  #opened() {
    this.#attempt = 0
    this.#firstDelay = firstDelayMs
    this.#change({ connected: true, exhausted: false })
  }

  #received(event: LiveEvent, position: string, trace?: string) {
    if (position) this.#position = position
    this.#handlers.onEvent(event, position, trace)
  }

  #broke() {
    this.#attempt += 1
    const exhausted = this.#attempt > mostAttempts
    this.#change({ connected: false, exhausted: this.#state.exhausted || exhausted })
    const delay = exhausted
      ? newSeriesMs
      : reconnectDelay(this.#attempt, this.#tools.chance, this.#firstDelay)
    if (exhausted) this.#attempt = 0
    this.#timer = setTimeout(() => inBackground(this.#run()), delay)
  }

  #change(state: ConnectionState) {
    this.#state = state
    this.#handlers.onState(state)
  }
}
