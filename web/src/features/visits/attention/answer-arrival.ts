import { mutationOptions } from '@tanstack/react-query'
import { api, payload } from '@/api/client'
import { renewAfter } from '@/api/renew'
import type { Arrival, Visit } from '@/api/types'
import { messages as attention } from '@/attention-messages'
import { arrivalKeys } from '@/features/visits/data/arrivals'
import { applyOwnChange } from '@/features/visits/data/own-changes'
import { visitOf } from '@/features/visits/data/stage'
import { showTicket } from '@/features/visits/data/ticket-port'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'

type Answer = { arrival: Arrival; state: 'accepted' | 'refused' }

const text = attention.arrivals

/** Accepts a request for a token, which becomes a visit, or refuses it. A repetition creates no second visit. */
export const answerArrival = mutationOptions({
  mutationKey: ['arrivals', 'answer'],
  mutationFn: async ({ arrival: { id }, state }: Answer): Promise<Visit | null> => {
    const params = { path: { id } }
    const { visit } = await payload(api.PUT('/api/lobby/arrivals/{id}', { params, body: { state } }))
    return visit && visitOf(visit)
  },
  onSuccess: (visit, _answer, _onMutateResult, { client }) => {
    if (!visit) return
    applyOwnChange(client, visit, fill(messages.visits.created, { token: visit.token }))
    showTicket(visit)
  },
  // The list is refetched after a rejection as well: if a colleague answered first, the list shows that answer.
  onSettled: (_visit, error, _answer, _onMutateResult, { client }) =>
    renewAfter(error, client.invalidateQueries({ queryKey: arrivalKeys.all })),
  meta: {
    success: (visit: Visit | null, { state }: Answer) => (visit ? undefined : text[state]),
    failure: ({ arrival: { name } }: Answer) => fill(text.failed, { name }),
  },
})
