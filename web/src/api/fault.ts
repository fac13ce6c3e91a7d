import { messages } from '@/messages'

/** A failed call. `message` is the sentence for the user, `code` the API's name of the reason. */
export class Fault extends Error {
  override readonly name = 'Fault'
  readonly status: number
  readonly code: string | undefined
  readonly fields: Readonly<Record<string, string>>

  constructor(message: string, about: { status: number; code?: string; fields?: Record<string, string> }) {
    super(message)
    this.status = about.status
    this.code = about.code
    this.fields = about.fields ?? {}
  }

  /** Returns the fault with the given sentence; the original is its cause. A 401 is returned unchanged. */
  saying(message: string): Fault {
    if (this.status === 401) return this
    const { status, code, fields } = this
    const renamed = new Fault(message, { status, fields: { ...fields }, ...(code ? { code } : {}) })
    renamed.cause = this
    return renamed
  }
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

/** The fault of an error response: the body's `error`, else the status text, else a general sentence. */
export function faultOf(status: number, body: unknown, statusText: string): Fault {
  const refusal = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  const message = text(refusal.error) ?? text(statusText) ?? messages.request.failed
  const code = text(refusal.code)
  return new Fault(message, {
    status,
    ...(code ? { code } : {}),
    ...(isSentences(refusal.fields) ? { fields: refusal.fields } : {}),
  })
}

/** The fault of a request without a response: a sentence for a timeout, else the error's own message. */
export function faultOfFailure(cause: unknown): Fault {
  if (cause instanceof DOMException && cause.name === 'TimeoutError')
    return new Fault(messages.request.timedOut, { status: 0 })
  const message = cause instanceof Error ? text(cause.message) : undefined
  return new Fault(message ?? messages.request.failed, { status: 0 })
}

const isSentences = (value: unknown): value is Record<string, string> =>
  typeof value === 'object' && value !== null && Object.values(value).every((one) => typeof one === 'string')
