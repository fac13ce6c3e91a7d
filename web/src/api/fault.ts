import { messages } from '@/messages'

/** A call that did not succeed. `message` is the sentence for the person, `code` the contract's word for the reason. */
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

  /** The same fault under a loader's own sentence; the first sentence stays as its cause. A lost session stays itself. */
  saying(message: string): Fault {
    if (this.status === 401) return this
    const { status, code, fields } = this
    const renamed = new Fault(message, { status, fields: { ...fields }, ...(code ? { code } : {}) })
    renamed.cause = this
    return renamed
  }
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

/** The refusal in an answer: the body's `error`, else what the request says of itself, else a general sentence. */
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

/** The fault of a request that got no answer at all: its own message is all there is. */
export function faultOfFailure(cause: unknown): Fault {
  const message = cause instanceof Error ? text(cause.message) : undefined
  return new Fault(message ?? messages.request.failed, { status: 0 })
}

const isSentences = (value: unknown): value is Record<string, string> =>
  typeof value === 'object' && value !== null && Object.values(value).every((one) => typeof one === 'string')
