import { createAuthClient } from 'better-auth/client'
import { sessionStore } from '@/api/session-store'

/**
 * The unmodified better-auth client with our fetch. Its redirects are disabled: an address in a response is shown, not
 * followed.
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
