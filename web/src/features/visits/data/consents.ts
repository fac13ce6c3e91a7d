import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { api, payload } from '@/api/client'
import type { Bodies } from '@/api/types'
import { messages } from '@/staff-messages'
import { visitKeys } from './queries'

const text = messages.consents

export type Means = Bodies['ConsentMeans']

/** How visitors are usually given the notice: the default at registration. */
export const usualMeans: Means = 'slip'
export const meansOptions = (['slip', 'aloud', 'read', 'page'] as const).map((value) => ({
  value,
  label: text.means[value],
}))

/** The notice that a visitor was given, and the visitor's consents. */
export const consentsQuery = (id: string) =>
  queryOptions({
    queryKey: [...visitKeys.consents, id] as const,
    queryFn: async ({ signal }) =>
      (await payload(api.GET('/api/visits/{id}/consents', { params: { path: { id } }, signal }))).consents,
    meta: { failure: text.loadFailed },
  })

type Change = { id: string } & Bodies['ChangeConsent']

/** Records a consent, or its withdrawal. */
export const changeConsent = mutationOptions({
  mutationKey: ['visits', 'consent'],
  mutationFn: ({ id, ...body }: Change) =>
    payload(api.POST('/api/visits/{id}/consents', { params: { path: { id } }, body })),
  onSuccess: ({ consents }, { id }, _onMutateResult, { client }) =>
    client.setQueryData(consentsQuery(id).queryKey, consents),
  meta: {
    success: (_answer: unknown, { given }: Change) => (given ? text.saved : text.ended),
    failure: text.failed,
  },
})
