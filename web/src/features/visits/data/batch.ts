import { mutationOptions, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { intentionKeys } from '@/api/intention-keys'
import { forgetDraft } from '@/drafts'
import { messages } from '@/staff-messages'
import { sendBatch, SomeRefused, type Batch, type Change, type Decided } from './batch-request'
import { invalidateVisits } from './cache'
import { notesDraft } from './draft'
import { applyOwnChanges } from './own-changes'

const text = messages.life

/** Changes several visits, and offers one undo for all visits that were changed. */
export const changeSeveral = mutationOptions({
  mutationKey: ['visits', 'several'],
  mutationFn: (batch: Batch, { client }) =>
    sendBatch(batch, (done, all) => {
      const approved = batch.change.action === 'approve'
      if (approved) for (const visit of done) forgetDraft(notesDraft(visit))
      applyOwnChanges(client, done, approved && all ? messages.visits.approved : undefined)
    }),
  onError: (_error, _batch, _onMutateResult, { client }) => invalidateVisits(client),
  meta: {
    failure: ({ change }: Batch) =>
      change.action === 'approve' ? messages.visits.approveFailed : text.failedSeveral,
    unanswered: messages.problems.unreached,
  },
})

type After = { onAnswered?: () => void; onSettled?: () => void }

export function useBatch() {
  const mutation = useMutation(changeSeveral)
  const [keys] = useState(intentionKeys)
  const act = (visits: readonly Decided[], change: Change, { onAnswered, onSettled }: After = {}) => {
    if (mutation.isPending || visits.length === 0) return
    const refs = visits.map(({ id, token, version, decisionNotes }) => ({
      id,
      token,
      version,
      decisionNotes,
    }))
    mutation.mutate(
      { visits: refs, change, keys },
      {
        onSettled: (_done, error) => {
          if (!error || error instanceof SomeRefused) onAnswered?.()
          onSettled?.()
        },
      },
    )
  }
  return {
    act,
    pending: mutation.isPending,
    isSending: (id: string) =>
      mutation.isPending && mutation.variables.visits.some((visit) => visit.id === id),
  }
}
