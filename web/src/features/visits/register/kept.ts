import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { isUnanswered } from '@/api/fault'
import { isRefusal } from '@/api/refusal'
import type { NewVisit, Visit } from '@/api/types'
import { serverNow } from '@/clock'
import { draftText, forgetDraft, keepDraft, useDrafts } from '@/drafts'
import { createVisit, type Registration } from '@/features/visits/data/mutations'
import { inBackground } from '@/in-background'
import { reconnectDelay } from '@/live/backoff'
import { useLive } from '@/live/live'
import { isPairedDesk } from '@/live/offline-port'

/** A registration without a response, which may have created a token. It is sent again with its idempotency key. */
export type Kept = Pick<Registration, 'visit' | 'key'> & {
  at: string
  /** Why the server refused the registration. */
  refused?: string
  /** The visit that the registration created. */
  sent?: Pick<Visit, 'id' | 'token'>
}

const mostKept = 20

/** An older entry is not sent automatically, although the server knows its key for 31 days. */
const longestMs = 20 * 3_600_000

const prefix = 'kept/'

export const keep = (entry: Kept) => keepDraft(prefix + entry.key, JSON.stringify(entry))

export const forgetKept = (key: string) => forgetDraft(prefix + key)

/** Whether an entry is still kept: it may have been discarded while it was sent. */
const isKept = (key: string) => draftText(prefix + key) !== undefined

export const isTooOld = ({ at }: Kept) => serverNow() - Date.parse(at) > longestMs

/** Whether an entry is still to be sent automatically. */
export const isWaiting = (entry: Kept) => !entry.refused && !entry.sent && !isTooOld(entry)

export const isFull = (entries: readonly Kept[]) => entries.filter(({ sent }) => !sent).length >= mostKept

/** The kept entries of this tab and person, oldest first. */
export function useKept(): readonly Kept[] {
  const drafts = useDrafts(prefix)
  const texts = JSON.stringify(drafts.map(({ text }) => text))
  return useMemo(
    () =>
      (JSON.parse(texts) as string[])
        .map((text) => JSON.parse(text) as Kept)
        .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at)),
    [texts],
  )
}

/**
 * Sends the kept entries when the server can be reached, one after the other, oldest first. A refused entry
 * stays and does not stop the others. After any other failure, the entry is sent again. A paired desk needs no
 * connection. Returns a function that records whether another registration had a response.
 */
export function useSendKept(onSent: (visit: NewVisit) => void) {
  const client = useQueryClient()
  const { connected } = useLive()
  const [isReached, setReached] = useState(false)
  const [failures, setFailures] = useState(0)
  const next = useKept().find(isWaiting)
  const isSending = useRef(false)
  // Without live updates the server may still answer.
  const isOpen = connected || isReached || isPairedDesk()

  const send = useEffectEvent(async () => {
    if (!next || isSending.current || !isOpen) return
    const { visit, key } = next
    isSending.current = true
    const result = await client
      .getMutationCache()
      .build(client, createVisit)
      .execute({ visit, key, again: true })
      .catch((cause: unknown) => (cause instanceof Error ? cause : new Error(String(cause))))
    // This comes before the change of the entry, because that change causes the next entry to be sent.
    isSending.current = false
    setFailures((count) => (result instanceof Error && !isRefusal(result) ? count + 1 : 0))
    if (!(result instanceof Error)) {
      setReached(true)
      keep({ ...next, sent: { id: result.id, token: result.token } })
      onSent(visit)
    } else if (isUnanswered(result)) setReached(false)
    else if (isRefusal(result) && isKept(key)) keep({ ...next, refused: result.message })
  })
  useEffect(() => {
    const timer = setTimeout(() => inBackground(send()))
    return () => clearTimeout(timer)
  }, [connected, isReached, next?.key])
  useEffect(() => {
    if (failures === 0) return undefined
    const timer = setTimeout(() => inBackground(send()), reconnectDelay(failures + 1, Math.random))
    return () => clearTimeout(timer)
  }, [failures])
  return setReached
}
