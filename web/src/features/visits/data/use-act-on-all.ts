import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { newIdempotencyKey } from '@/api/idempotency-key'
import { inBackground } from '@/in-background'
import { actOnVisit } from './act'
import type { Intent, VisitRef } from './intent'

/** One change for all visits, or a function that returns the change of a visit. */
type Intents<Ref> = Intent | ((visit: Ref) => Intent)

/** Changes several visits, one after the other, until a change fails. */
export function useActOnAll() {
  const client = useQueryClient()
  const [pending, setPending] = useState(false)

  /** Resolves with true if all were changed. A failure is shown as a toast. */
  const sendAll = async <Ref extends VisitRef>(
    visits: readonly Ref[],
    intents: Intents<Ref>,
  ): Promise<boolean> => {
    setPending(true)
    try {
      // The changes are sent one after the other, so that the visits keep their order in the line.
      for (const visit of visits) {
        const { id, token, version } = visit
        const intent = typeof intents === 'function' ? intents(visit) : intents
        const act = { visit: { id, token, version }, intent, key: newIdempotencyKey() }
        await client.getMutationCache().build(client, actOnVisit).execute(act)
      }
      return true
    } catch {
      return false
    } finally {
      setPending(false)
    }
  }
  return {
    sendAll,
    send: (visits: readonly VisitRef[], intent: Intent) => inBackground(sendAll(visits, intent)),
    pending,
  }
}
