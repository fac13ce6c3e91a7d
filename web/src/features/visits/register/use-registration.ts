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
    // Emptied fields are new elements. If they were rendered later, they would take the focus from what is typed by
    // then.
    flushSync(() => form.resetFields())
    form.focusField('name')
  }

  const submit = (typed: Typed) => {
    if (create.isPending || isFull(kept)) return
    const visit = appointment ? { ...typed, appointment_id: appointment } : typed
    const key = keyFor(visit)
    inFlight.keep(undefined, { visit, key })
    // The first entry of a cut is shown as a failure, the further ones only in the strip.
    create.mutate(
      { visit, key, quiet: kept.some(isWaiting) },
      {
        onSuccess: (created) => {
          inFlight.forget()
          // The ticket and its slip are rendered first: emptying the form takes longer.
          flushSync(() => onCreated(created))
          setTimeout(empty)
        },
        onError: (error) => {
          if (isUnanswered(error)) {
            keepNow({ visit, key })
            setTimeout(empty)
            onKept()
          } else showRejectedFields(form, error)
          inFlight.forget()
        },
      },
    )
  }

  // The page was left before the response came.
  useEffect(() => {
    const { visit, key } = inFlight.values()
    if (!visit || !key) return
    keepNow({ visit, key })
    inFlight.forget()
  }, [inFlight])

  return { submit, submitting: create.isPending, full: isFull(kept) }
}

const keepNow = (registration: InFlight) => keep({ ...registration, at: new Date(serverNow()).toISOString() })
