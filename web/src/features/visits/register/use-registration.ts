import { useMutation } from '@tanstack/react-query'
import type { FormInstance } from 'antd'
import { useCallback, useEffect, useEffectEvent, useRef } from 'react'
import { flushSync } from 'react-dom'
import { Fault, isUnanswered } from '@/api/fault'
import { isRefusal } from '@/api/refusal'
import { showRejectedFields } from '@/api/rejected-fields'
import type { NewVisit, Visit } from '@/api/types'
import { useIntentionKey } from '@/api/use-intention-key'
import { serverNow } from '@/clock'
import { useFormDraft } from '@/drafts'
import { createVisit, type Registration } from '@/features/visits/data/mutations'
import { inBackground } from '@/in-background'
import { isFull, isWaiting, keep, useKept } from './kept'

type Handlers = {
  /** Called when a registration has succeeded or is kept. `isHere`: whether its form is still on the page. */
  onDone: (sent: NewVisit, isHere: boolean) => void
  onCreated: (visit: Visit, sent: NewVisit) => void
  onKept: () => void
}

type Sent = Pick<Registration, 'visit' | 'key'>

/**
 * Sends the form. A registration without a response is kept, also over a reload, and sent again once the connection is
 * back, because it may have created a token. If the form was left before a failure other than 401, it is kept, too.
 */
export function useRegistration(form: FormInstance<NewVisit>, { onDone, onCreated, onKept }: Handlers) {
  // After a failure, equal content is a retry: with the same idempotency key it creates no second token.
  const { keyFor, resume, done } = useIntentionKey()
  const create = useMutation(createVisit)
  const record = useInFlight((visit) => onDone(visit, false))
  const entries = useKept()
  const isHere = useIsHere()

  const empty = () => {
    done()
    setTimeout(() => {
      if (isHere() && !drawn(() => form.resetFields())) form.focusField('name')
    })
  }
  const onSuccess =
    ({ visit, key }: Sent) =>
    (created: Visit) => {
      record(key)
      // The ticket and its slip are rendered first, because emptying the form takes longer.
      drawn(() => {
        onDone(visit, isHere())
        onCreated(created, visit)
      })
      empty()
    }
  const onError = (sent: Sent) => (error: Error) => {
    record(sent.key)
    // The session has ended: the draft of the form stays for the next sign-in.
    if (error instanceof Fault && error.status === 401) return
    if (isHere() && !isUnanswered(error)) {
      showRejectedFields(form, error)
      return
    }
    keepNow(sent, isRefusal(error) ? error.message : undefined)
    drawn(() => {
      onDone(sent.visit, isHere())
      onKept()
    })
    empty()
  }

  const submit = (visit: NewVisit) => {
    if (create.isPending || isFull(entries)) return
    const sent = { visit, key: keyFor(visit) }
    record(sent.key, visit)
    sentHere.add(sent.key)
    // Without a connection, only the first entry shows a toast; the list of kept entries shows the rest.
    const answer = create.mutateAsync({ ...sent, quiet: entries.some(isWaiting) })
    // Callbacks of the mutation would not be called after this form was left.
    inBackground(answer.then(onSuccess(sent), onError(sent)))
  }

  return { submit, resume, submitting: create.isPending, full: isFull(entries), entries }
}

/**
 * Renders a change at once: if the fields were rendered later, they would take the focus from what is typed meanwhile.
 * If the focus is outside the form, such as in the search, it stays there. Returns whether the focus is outside.
 */
function drawn(change: () => void): boolean {
  const { activeElement } = document
  flushSync(change)
  const isElsewhere =
    activeElement instanceof HTMLElement && !activeElement.matches('body, .visit-form, .visit-form *')
  if (isElsewhere) activeElement.focus()
  return isElsewhere
}

/**
 * Records what is sent, by idempotency key, until there is a response: the form may be left before that. What the page
 * sent before a reload may have no response, and is kept.
 */
function useInFlight(onKept: (visit: NewVisit) => void) {
  const draft = useFormDraft<Record<string, NewVisit | undefined>>('in-flight')
  const record = useCallback(
    (key: string, visit?: NewVisit) => draft.keep(undefined, { ...draft.values(), [key]: visit }),
    [draft],
  )
  const kept = useEffectEvent(onKept)
  useEffect(() => {
    for (const [key, visit] of Object.entries(draft.values())) {
      if (!visit || sentHere.has(key)) continue
      keepNow({ visit, key })
      record(key)
      kept(visit)
    }
  }, [draft, record])
  return record
}

function useIsHere() {
  const isHere = useRef(false)
  useEffect(() => {
    isHere.current = true
    return () => void (isHere.current = false)
  }, [])
  return () => isHere.current
}

/** The keys that this page has sent. */
const sentHere = new Set<string>()

function keepNow(sent: Sent, refused?: string) {
  const at = new Date(serverNow()).toISOString()
  keep({ ...sent, at, ...(refused === undefined ? {} : { refused }) })
}
