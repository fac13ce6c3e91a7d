import { useMutation } from '@tanstack/react-query'
import { useIntentionKey } from '@/api/use-intention-key'
import { startSession, takeVisitor } from '@/features/visits/data/mutations'
import { isAssigned, type Row } from './my-line'

/** Starts sessions of visitors of My Queue, one at a time. A retry of `taken` has the same idempotency key. */
export function useStart() {
  const assigned = useMutation(startSession)
  const taken = useMutation(takeVisitor)
  const { keyFor, done } = useIntentionKey()
  const pending = assigned.isPending || taken.isPending
  const last = assigned.submittedAt > taken.submittedAt ? assigned : taken
  const lastId = last === assigned ? assigned.variables?.id : taken.variables?.visit.id
  return {
    pending,
    isStarting: (id: string) => pending && lastId === id,
    errorOf: (id: string) => (lastId === id ? last.error : null),
    start: (row: Row) => {
      if (pending) return
      const { id, token, version } = row
      const visit = { id, token, version }
      if (isAssigned(row)) assigned.mutate({ id })
      else taken.mutate({ visit, key: keyFor(visit) }, { onSuccess: done })
    },
  }
}

export type Start = ReturnType<typeof useStart>
