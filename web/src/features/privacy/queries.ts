import { queryOptions } from '@tanstack/react-query'
import { messages } from '@/admin-messages'
import { api, payload } from '@/api/client'
import type { Bodies } from '@/api/types'

export type PrivacyRequest = Bodies['PrivacyRequest']
export type Erasure = Bodies['Erasure']

export const privacyKeys = { all: ['privacy'] as const, requests: ['privacy', 'requests'] as const }

const failure = messages.privacy.failed

/** The register: open requests by the day on which they are due, then the others. */
export const privacyRequestsQuery = queryOptions({
  queryKey: privacyKeys.requests,
  queryFn: async ({ signal }) => (await payload(api.GET('/api/privacy/requests', { signal }))).requests,
  // Requests become overdue while the page is open.
  staleTime: 60_000,
  meta: { failure },
})

/** The versions of the notice, with the number of visits under each. */
export const noticesQuery = queryOptions({
  queryKey: [...privacyKeys.all, 'notices'],
  queryFn: async ({ signal }) => (await payload(api.GET('/api/privacy/notices', { signal }))).notices,
  meta: { failure },
})

/** What each service erased in its last run of retention. */
export const nightQuery = queryOptions({
  queryKey: [...privacyKeys.all, 'night'],
  queryFn: async ({ signal }) => (await payload(api.GET('/api/privacy/retention', { signal }))).services,
  meta: { failure },
})

/** How often each user read or exported personal data, by day, between two days, both inclusive. */
export const usesQuery = (from: string, to: string) =>
  queryOptions({
    queryKey: [...privacyKeys.all, 'uses', from, to],
    queryFn: async ({ signal }) =>
      (await payload(api.GET('/api/privacy/uses', { params: { query: { from, to } }, signal }))).uses,
    meta: { failure },
  })

const everyMs = 500

/** The progress of an erasure, refetched until it has ended. */
export const erasureQuery = (begun: Erasure) =>
  queryOptions({
    queryKey: [...privacyKeys.all, 'erasure', begun.id],
    queryFn: async ({ signal }) => {
      const params = { path: { id: begun.id } }
      return (await payload(api.GET('/api/privacy/subject/{id}', { params, signal }))).erasure
    },
    refetchInterval: ({ state }) =>
      !state.error && state.data?.state !== 'done' && state.data?.state !== 'failed' ? everyMs : false,
  })
