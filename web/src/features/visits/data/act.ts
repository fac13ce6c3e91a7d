import { mutationOptions, useMutation } from '@tanstack/react-query'
import { api, payload } from '@/api/client'
import { Fault } from '@/api/fault'
import type { Visit } from '@/api/types'
import { useIntentionKey } from '@/api/use-intention-key'
import { isUnsent } from '@/live/offline-mode'
import { loadOffline } from '@/live/offline-port'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { invalidateVisits } from './cache'
import type { Act, Intent, VisitRef } from './intent'
import { updateLine, lineSnapshot, rollBackLine } from './line-order'
import { applyOwnChange } from './own-changes'
import { visitOf } from './stage'

const text = messages.life

/** Sends the request of a change. A retry with the same idempotency key has no second effect. */
function send({ visit: { id, version }, intent, key }: Act): Promise<{ visit: Visit }> {
  const params = { path: { id }, header: { 'Idempotency-Key': key } }
  const plain = { params, body: { version } }
  switch (intent.action) {
    case 'recall':
      return payload(api.POST('/api/visits/{id}/recall', plain))
    case 'miss':
      return payload(api.POST('/api/visits/{id}/miss', plain))
    case 'release':
      return payload(api.POST('/api/visits/{id}/release', plain))
    case 'back':
      return payload(api.POST('/api/visits/{id}/back', plain))
    case 'resume':
      return payload(api.POST('/api/visits/{id}/resume', plain))
    case 'leave':
      return payload(api.POST('/api/visits/{id}/leave', plain))
    case 'cancel':
      return payload(api.POST('/api/visits/{id}/cancel', plain))
    case 'call':
      return payload(api.POST('/api/visits/{id}/call', { params, body: { ...intent.body, version } }))
    case 'hold':
      return payload(api.POST('/api/visits/{id}/hold', { params, body: { ...intent.body, version } }))
    case 'transfer':
      return payload(api.POST('/api/visits/{id}/transfer', { params, body: { ...intent.body, version } }))
    case 'pin':
      return payload(api.POST('/api/visits/{id}/pin', { params, body: { ...intent.body, version } }))
    case 'move':
      return payload(api.POST('/api/visits/{id}/move', { params, body: { ...intent.body, version } }))
    case 'class':
      return payload(api.POST('/api/visits/{id}/class', { params, body: { ...intent.body, version } }))
    case 'reopen':
      return payload(api.POST('/api/visits/{id}/reopen', { params, body: { ...intent.body, version } }))
    case 'correct':
      return payload(api.POST('/api/visits/{id}/correct', { params, body: { ...intent.body, version } }))
  }
}

/** Whether the server refused a request with the given code. */
export const isCode = (error: unknown, code: string) => error instanceof Fault && error.code === code

/** Whether the server refused a move because it would pass a visitor who must be next. The user can force the move. */
export const wouldBypass = (error: Error | null) => isCode(error, 'would_bypass')

/** Changes a visit, with an optimistic update of the line. */
export const actOnVisit = mutationOptions({
  mutationKey: ['visits', 'act'],
  mutationFn: async (act: Act, { client }) => {
    if (isUnsent(act.visit.id)) return (await loadOffline()).noteLeft(client, act.visit.id)
    try {
      return visitOf((await send(act)).visit)
    } catch (cause) {
      // Reception may neither correct nor cancel visits that a colleague registered.
      const { action } = act.intent
      const others = (action === 'correct' || action === 'cancel') && isCode(cause, 'forbidden')
      throw others && cause instanceof Fault ? cause.withMessage(text.notYours) : cause
    }
  },
  onMutate: ({ visit, intent }, { client }) => {
    const before = lineSnapshot(client)
    updateLine(client, visit, intent)
    return before
  },
  onSuccess: (visit, _act, _onMutateResult, { client }) => applyOwnChange(client, visit),
  onError: (_error, _act, before, { client }) => {
    rollBackLine(client, before)
    invalidateVisits(client)
  },
  meta: {
    failure: ({ visit: { token } }: Act, error: Error) =>
      wouldBypass(error) ? undefined : fill(text.failed, { token }),
  },
})

type After = { onSuccess?: (visit: Visit) => void; onError?: (error: Error) => void }

export function useAct() {
  const mutation = useMutation(actOnVisit)
  const { keyFor, done } = useIntentionKey()
  const act = (visit: VisitRef, intent: Intent, after: After = {}) => {
    if (mutation.isPending) return
    const { id, token, version } = visit
    const known = { id, token, version }
    mutation.mutate(
      { visit: known, intent, key: keyFor({ known, intent }) },
      {
        onSuccess: (changed) => {
          done()
          after.onSuccess?.(changed)
        },
        onError: (error) => after.onError?.(error),
      },
    )
  }
  return {
    act,
    pending: mutation.isPending,
    error: mutation.error,
    errorOf: (id: string) => (mutation.variables?.visit.id === id ? mutation.error : null),
    reset: mutation.reset,
  }
}
