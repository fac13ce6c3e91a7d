import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { api, payload } from '@/api/client'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import type { VisitRef } from './intent'

/** The link of the visitor's own page. It stays the same until it is replaced. */
export const linkQuery = (id: string) =>
  queryOptions({
    queryKey: ['links', id],
    queryFn: ({ signal }) =>
      payload(api.GET('/api/lobby/visits/{id}/link', { params: { path: { id } }, signal })),
    staleTime: Infinity,
    retry: false,
  })

/** The notifications to visitors in the last day, and the costs of notifications. */
export const messagesQuery = queryOptions({
  queryKey: ['messages'],
  queryFn: ({ signal }) => payload(api.GET('/api/lobby/messages', { signal })),
  refetchInterval: 30_000,
})

/** Replaces the link, after a slip was lost. */
export const replaceLink = mutationOptions({
  mutationKey: ['links', 'replace'],
  mutationFn: ({ id }: VisitRef) =>
    payload(api.POST('/api/lobby/visits/{id}/link', { params: { path: { id } } })),
  onSuccess: (made, { id }, _onMutateResult, { client }) => {
    client.setQueryData(linkQuery(id).queryKey, made)
  },
  meta: { failure: ({ token }: VisitRef) => fill(messages.visitorLink.failed, { token }) },
})
