import { mutationOptions, useMutation } from '@tanstack/react-query'
import { api, payload } from '@/api/client'
import { useIntentionKey } from '@/api/use-intention-key'
import { isCode, useAct } from '@/features/visits/data/act'
import { invalidateVisits } from '@/features/visits/data/cache'
import { applyOwnChange } from '@/features/visits/data/own-changes'
import { visitOf } from '@/features/visits/data/stage'
import { messages } from '@/staff-messages'
import type { Row } from './my-line'

const isNextChanged = (error: Error | null) => isCode(error, 'next_changed')

/** Calls the next visitor if `expect` is that visitor. Returns the visit, or null when no visitor waits. */
const callNext = mutationOptions({
  mutationKey: ['visits', 'next'],
  mutationFn: async ({ key, expect }: { key: string; expect: string }) => {
    const params = { header: { 'Idempotency-Key': key } }
    const { visit } = await payload(api.POST('/api/visits/next', { params, body: { expect } }))
    return visit && visitOf(visit)
  },
  onSuccess: (visit, _variables, _onMutateResult, { client }) =>
    visit ? applyOwnChange(client, visit) : invalidateVisits(client),
  onError: (_error, _variables, _onMutateResult, { client }) => invalidateVisits(client),
  meta: {
    // No toast for this failure: the card names the visitor who is next now.
    failure: (_variables, error: Error) => (isNextChanged(error) ? undefined : messages.life.next.failed),
    unanswered: messages.problems.unreached,
  },
})

/**
 * Calls only the first visitor of My Queue: by the rule of the line, or by hand if the visitor has no place in it. A
 * retry has the same idempotency key.
 */
export function useCall() {
  const next = useMutation(callNext)
  const byHand = useAct()
  const { keyFor, done } = useIntentionKey()
  const pending = next.isPending || byHand.pending
  const changed = isNextChanged(next.error) ? next.error : null
  const errorOfNext = (id: string) => (next.variables?.expect === id && !changed ? next.error : null)
  return {
    pending,
    /** The failure of the last call of this visitor. */
    errorOf: (id: string) => errorOfNext(id) ?? byHand.errorOf(id),
    /** The message that another visitor is next now, or empty. */
    changed: changed?.message ?? '',
    call: (row: Row) => {
      if (pending) return
      const expect = row.id
      if (row.place) next.mutate({ key: keyFor({ expect }), expect }, { onSuccess: done })
      else {
        next.reset()
        byHand.act(row, { action: 'call', body: {} })
      }
    },
  }
}

export type Call = ReturnType<typeof useCall>
