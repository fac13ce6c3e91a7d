import { useMutation } from '@tanstack/react-query'
import type { FormInstance } from 'antd'
import { useEffect } from 'react'
import { flushSync } from 'react-dom'
import { isUnanswered } from '@/api/fault'
import { showRejectedFields } from '@/api/rejected-fields'
import type { NewVisit, Visit } from '@/api/types'
import { useIntentionKey } from '@/api/use-intention-key'
import { serverNow } from '@/clock'
import { useFormDraft } from '@/drafts'
import { createVisit, type Registration } from '@/features/visits/data/mutations'
import { inBackground } from '@/in-background'
import { isFull, isWaiting, keep, useKept } from './kept'

/** The values that reception types. The appointment comes from its request. */
export type Typed = Omit<NewVisit, 'appointment_id'>

type Handlers = {
  onCreated: (visit: Visit) => void
  /** The entry has no response and is kept: the form is free for the next visitor. */
  onKept: () => void
}

type InFlight = Pick<Registration, 'visit' | 'key'>

/**
 * Sends the form. A registration without a response may have created a token: it is kept, also over a reload, and sent
 * again once the connection is back.
 */
export function useRegistration(
  form: FormInstance<NewVisit>,
  appointment: string | undefined,
  { onCreated, onKept }: Handlers,
) {
  // The same content after a failure is a retry: the same idempotency key creates one token only.
  const { keyFor, done } = useIntentionKey()
  const create = useMutation(createVisit)
  const inFlight = useFormDraft<InFlight>('registration')
  const kept = useKept()

  const empty = () => {
    done()
    const { activeElement } = document
    setTimeout(() => emptyFor(activeElement))
  }
  /** Empties the form. A person who has gone on to another element meanwhile, such as the search, keeps the focus. */
  const emptyFor = (focused: Element | null) => {
    const { activeElement } = document
    const moved = activeElement !== focused && activeElement !== document.body
    // Emptied fields are new elements. If they were rendered later, they would take the focus from what is typed by
    // then.
    flushSync(() => form.resetFields())
    if (moved && activeElement instanceof HTMLElement) activeElement.focus()
    else form.focusField('name')
  }

  const onSuccess = (created: Visit) => {
    inFlight.forget()
    // The ticket and its slip are rendered first: emptying the form takes longer.
    flushSync(() => onCreated(created))
    empty()
  }
  const onError = (registration: InFlight, error: Error) => {
    if (isUnanswered(error)) {
      keepNow(registration)
      empty()
      onKept()
    } else showRejectedFields(form, error)
    inFlight.forget()
  }

  const submit = (typed: Typed) => {
    if (create.isPending || isFull(kept)) return
    const visit = appointment ? { ...typed, appointment_id: appointment } : typed
    const registration = { visit, key: keyFor(visit) }
    inFlight.keep(undefined, registration)
    sentHere.add(registration.key)
    // The first entry of a cut is shown as a failure, the further ones only in the strip.
    const answer = create.mutateAsync({ ...registration, quiet: kept.some(isWaiting) })
    // Not as callbacks of the mutation: they would not be called after this form was left.
    inBackground(answer.then(onSuccess, (error: Error) => onError(registration, error)))
  }

  useEffect(() => {
    const { visit, key } = inFlight.values()
    if (!visit || !key || sentHere.has(key)) return
    keepNow({ visit, key })
    inFlight.forget()
  }, [inFlight])

  return { submit, submitting: create.isPending, full: isFull(kept) }
}

/** The keys that this page has sent. One of an earlier page may have no response, and is kept. */
const sentHere = new Set<string>()

const keepNow = (registration: InFlight) => keep({ ...registration, at: new Date(serverNow()).toISOString() })
