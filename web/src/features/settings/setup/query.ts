import { queryOptions } from '@tanstack/react-query'
import { api, payload } from '@/api/client'
import type { components } from '@/api/directory'

export type Setup = components['schemas']['SetupAnswer']['setup']

export const setupKey = ['office', 'setup'] as const

/** What an admin has set up of the new office. It has no texts: the dashboard asks for it before they are loaded. */
export const setupQuery = queryOptions({
  queryKey: setupKey,
  queryFn: async ({ signal }) => (await payload(api.GET('/api/office/setup', { signal }))).setup,
})

/** When the last backup was made; null if there was none. */
export const backupQuery = queryOptions({
  queryKey: ['audit', 'backup'],
  queryFn: async ({ signal }) => (await payload(api.GET('/api/analytics/backup', { signal }))).backup.at,
  staleTime: 60_000,
})
