import { locale, messages } from '@/messages'
import { wordedProblem } from './problem'

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

  /**
   * Returns a copy of this fault with another sentence and this fault as its cause. A 401 is returned unchanged.
   */
  withMessage(message: string): Fault {
    if (this.status === 401) return this
    const { status, code, fields } = this
    const renamed = new Fault(message, { status, fields: { ...fields }, ...(code ? { code } : {}) })
    renamed.cause = this
    return renamed
  }
}

/** Whether a call got no readable response. It is then unknown whether the server has carried it out. */
export const isUnanswered = (error: unknown): error is Fault => error instanceof Fault && error.status === 0

/**
 * The fault for an error response. Its message is the body's sentence in the user's language. If there is none, it is
 * the status text in English, and a general sentence in other languages.
 */
export function faultOf(status: number, body: unknown, statusText: string): Fault {
  const { code, sentence, fields } = wordedProblem(body, status)
  const message = sentence ?? ((locale === 'en' && statusText) || messages.request.failed)
  return new Fault(message, { status, fields, ...(code ? { code } : {}) })
}

/**
 * The fault for a request without a readable response. Its message says that the request timed out, or is about
 * the network. For any other cause, such as a malformed body, it is a general sentence.
 */
export function faultOfFailure(cause: unknown): Fault {
  return new Fault(messageOfFailure(cause) ?? messages.request.failed, { status: 0 })
}

/**
 * The message for a failed `fetch`, or undefined if users cannot understand it. Messages of browsers are in English, so
 * they are shown in English only.
 */
export function messageOfFailure(cause: unknown): string | undefined {
  if (cause instanceof DOMException)
    return cause.name === 'TimeoutError' ? messages.request.timedOut : undefined
  if (!(cause instanceof TypeError) || cause.message === '') return undefined
  return locale === 'en' ? cause.message : messages.problems.unreached
}
