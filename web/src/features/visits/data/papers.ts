import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { api, payload } from '@/api/client'
import type { Bodies } from '@/api/types'
import { inBackground } from '@/in-background'
import { isUnsent } from '@/live/offline-mode'
import { loadOffline } from '@/live/offline-port'
import { messages } from '@/staff-messages'
import { visitKeys } from './queries'

/** The papers of a visit, with their version. */
export const documentsQuery = (id: string) =>
  queryOptions({
    queryKey: [...visitKeys.documents, id] as const,
    queryFn: async ({ signal }) =>
      isUnsent(id)
        ? (await loadOffline()).notedPapers(id)
        : payload(api.GET('/api/visits/{id}/documents', { params: { path: { id } }, signal })),
    // Without a network the query fails at once, and the dialog shows that.
    networkMode: 'always',
    // The result is not cached, so that a dialog begins with the stored papers.
    gcTime: 0,
    meta: { failure: messages.papers.loadFailed },
  })

type Change = { id: string; version: number; documents: Bodies['GivenDocument'][] }

/** Issues a receipt for the papers that were left, or returns the last receipt again. */
export const acknowledge = mutationOptions({
  mutationKey: ['visits', 'acknowledge'],
  mutationFn: ({ id, key }: { id: string; key: string }) =>
    payload(
      api.POST('/api/visits/{id}/acknowledgement', {
        params: { path: { id }, header: { 'Idempotency-Key': key } },
      }),
    ),
  // The receipt is printed from the answer, without waiting until the papers are read again.
  onSuccess: (_answer, { id }, _onMutateResult, { client }) =>
    inBackground(client.invalidateQueries({ queryKey: documentsQuery(id).queryKey })),
  meta: { failure: messages.papers.receipt.failed },
})

/** Saves the papers of a visit. The lists that show what is missing are refetched by the live event. */
export const saveDocuments = mutationOptions({
  mutationKey: ['visits', 'documents'],
  mutationFn: async ({ id, version, documents }: Change, { client }) =>
    isUnsent(id)
      ? (await loadOffline()).notePapers(client, id, documents)
      : payload(
          api.PUT('/api/visits/{id}/documents', {
            params: { path: { id }, header: { 'If-Match': `"${version}"` } },
            body: { documents },
          }),
        ),
  onError: (_error, { id }, _onMutateResult, { client }) =>
    inBackground(client.invalidateQueries({ queryKey: documentsQuery(id).queryKey })),
  meta: { success: messages.papers.saved, failure: messages.papers.failed },
})
