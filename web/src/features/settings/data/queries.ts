import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, payload } from '@/api/client'
import { messages } from '@/settings-messages'
import { sent, type SectionKey, type Settings, type Value } from './document'
import { canonical } from './pointer'

const text = messages.officeSettings

/** All are invalidated by a change of the office: see app/live-routes.ts. */
export const settingsKeys = {
  settings: ['office', 'settings'] as const,
  previews: ['office', 'preview'] as const,
  versions: ['office', 'versions'] as const,
}

/** All sections with their versions. */
export const settingsQuery = queryOptions({
  queryKey: settingsKeys.settings,
  queryFn: async ({ signal }): Promise<Settings> =>
    (await payload(api.GET('/api/office/settings', { signal }))).office,
  meta: { failure: text.loadFailed },
})

/** What a value would change, and its effects. Rejects with the errors of the value's settings. */
export const previewQuery = (section: SectionKey, value: Value | undefined) =>
  queryOptions({
    queryKey: [...settingsKeys.previews, section, value && canonical(value)],
    queryFn: async ({ signal }) => {
      if (!value) throw new Error('a preview needs a value')
      const params = { path: { section } }
      return (
        await payload(
          api.POST('/api/office/settings/{section}/preview', {
            params,
            body: { value: sent(value) },
            signal,
          }),
        )
      ).preview
    },
    enabled: value !== undefined,
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  })

const versionsAtOnce = 50

/** The versions of the document, the newest first. */
export const versionsQuery = infiniteQueryOptions({
  queryKey: settingsKeys.versions,
  queryFn: ({ pageParam: page, signal }) =>
    payload(api.GET('/api/office/versions', { params: { query: { page, limit: versionsAtOnce } }, signal })),
  initialPageParam: 1,
  getNextPageParam: ({ pagination: { page, pages } }) => (page < pages ? page + 1 : undefined),
  meta: { failure: text.history.loadFailed },
})

/** One version with its changes. It never changes. */
export const versionQuery = (version: number) =>
  queryOptions({
    queryKey: ['office-version', version],
    queryFn: async ({ signal }) =>
      (
        await payload(
          api.GET('/api/office/versions/{n}', { params: { path: { n: String(version) } }, signal }),
        )
      ).version,
    meta: { failure: text.history.loadFailed },
  })

/** The list from which holidays can be added. It is part of the release. */
export const holidaysQuery = queryOptions({
  queryKey: ['holidays'],
  queryFn: async ({ signal }) => (await payload(api.GET('/api/office/holidays', { signal }))).holidays,
  meta: { failure: text.hours.listFailed },
})
