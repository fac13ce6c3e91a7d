import { useMutation } from '@tanstack/react-query'
import type { FormInstance } from 'antd'
import { useEffect, useEffectEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import { isUnanswered } from '@/api/fault'
import { showRejectedFields } from '@/api/rejected-fields'
import type { NewVisit, Visit } from '@/api/types'
import { useIntentionKey } from '@/api/use-intention-key'
import { useFormDraft } from '@/drafts'
import { createVisit, type Registration } from '@/features/visits/data/mutations'
import { useLive } from '@/live/live'
import { isPairedDesk } from '@/live/offline-port'

/** The values that reception types. The appointment comes from its request. */
export type Typed = Omit<NewVisit, 'appointment_id'>

/**
 * Sends the form. A registration without a response may have created a token: it is kept, also over a reload, and
 * repeated with the same idempotency key once the connection is back. A paired desk does not need a connection.
 */
export function useRegistration(
  form: FormInstance<NewVisit>,
  appointment: string | undefined,
  onCreated: (visit: Visit) => void,
) {
  // The same content after a failure is a retry: the same idempotency key creates one token only.
  const { keyFor, done } = useIntentionKey()
  const create = useMutation(createVisit)
  const unanswered = useUnanswered()
  const { connected } = useLive()

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

  const send = (registration: Registration) => {
    const { visit, key } = registration
    unanswered.keep({ visit, key })
    create.mutate(registration, {
      onSuccess: (created) => {
        done()
        unanswered.forget()
        // The ticket and its slip are rendered first: emptying the form takes longer.
        flushSync(() => onCreated(created))
        const { activeElement } = document
        setTimeout(() => emptyFor(activeElement))
      },
      onError: (error) => {
        if (isUnanswered(error)) {
          unanswered.wait({ visit, key })
          return
        }
        unanswered.forget()
        showRejectedFields(form, error)
      },
    })
  }

  const submit = (typed: Typed) => {
    if (create.isPending || unanswered.waiting) return
    const visit = appointment ? { ...typed, appointment_id: appointment } : typed
    send({ visit, key: keyFor(visit) })
  }

  const { waiting } = unanswered
  const repeat = useEffectEvent(() => {
    if (waiting && !create.isPending) send({ ...waiting, again: true })
  })
  useEffect(() => {
    if (waiting) form.setFieldsValue(waiting.visit)
  }, [form, waiting])
  useEffect(() => {
    if (connected || isPairedDesk()) repeat()
  }, [connected, waiting])

  return {
    submit,
    submitting: create.isPending,
    /** Whether the registration waits for the connection. */
    waiting: waiting !== undefined,
    discard: () => {
      done()
      unanswered.forget()
      form.resetFields()
    },
  }
}

type Kept = Pick<Registration, 'visit' | 'key'>

/** The registration in flight, stored in the tab, and whether it waits for the connection. */
function useUnanswered() {
  const draft = useFormDraft<Kept>('registration')
  const [waiting, setWaiting] = useState(() => {
    const { visit, key } = draft.values()
    return visit && key ? { visit, key } : undefined
  })
  return {
    waiting,
    keep: (registration: Kept) => draft.keep(undefined, registration),
    wait: setWaiting,
    forget: () => {
      draft.forget()
      setWaiting(undefined)
    },
  }
}
