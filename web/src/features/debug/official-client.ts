import { createAuthClient } from 'better-auth/client'
import { sessionStore } from '@/api/session-store'

/**
 * The unmodified better-auth client on a fetch of ours. Its own redirects are off: an answer that names an address is
 * shown, not followed.
 */
export const officialClient = (fetchImpl: typeof fetch) =>
  createAuthClient({
    baseURL: `${location.origin}/api/auth`,
    disableDefaultFetchPlugins: true,
    fetchOptions: {
      customFetchImpl: fetchImpl,
      auth: { type: 'Bearer', token: () => sessionStore.token() ?? undefined },
    },
  })

export type OfficialClient = ReturnType<typeof officialClient>
