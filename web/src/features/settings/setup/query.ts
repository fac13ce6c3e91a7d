import { queryOptions } from '@tanstack/react-query'
import { api, payload, productFetch } from '@/api/client'
import type { components } from '@/api/directory'
import { faultOf } from '@/api/fault'

export type Setup = components['schemas']['SetupAnswer']['setup']

export const setupKey = ['office', 'setup'] as const

/** What an admin has set up of the new office. It has no texts: the dashboard asks for it before they are loaded. */
export const setupQuery = queryOptions({
  queryKey: setupKey,
  queryFn: async ({ signal }) => (await payload(api.GET('/api/office/setup', { signal }))).setup,
})

type BackupAnswer = { backup: { at: string | null } }

/** When the last backup was made; null if there was none. */
export const backupQuery = queryOptions({
  queryKey: ['audit', 'backup'],
  queryFn: async ({ signal }) => {
    const request = new Request(new URL('/api/analytics/backup', globalThis.location.origin), { signal })
    const response = await productFetch(request)
    const body: unknown = await response.json().catch(() => undefined)
    if (!response.ok) throw faultOf(response.status, body, response.statusText)
    return (body as BackupAnswer).backup.at
  },
  staleTime: 60_000,
})
