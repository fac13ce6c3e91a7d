import { useMutation, useQueryClient } from '@tanstack/react-query'
import { createContext, use } from 'react'
import { sessionStore } from '@/api/session-store'
import { forgetDrafts } from '@/drafts'
import { messages } from '@/messages'
import { remove, tabKeys } from '@/storage'
import { authClient } from './auth-client'

export type Destination = '/' | '/login'

/** How the gate is told that somebody leaves on purpose, and where to. */
export const DepartureContext = createContext<(destination: Destination) => void>(() => {
  throw new Error('useSignOut needs the gate above it')
})

/** What a Sign Out button does: the gate closes first, and ends the session then. */
export function useSignOut(destination: Destination) {
  const depart = use(DepartureContext)
  return () => depart(destination)
}

/** Ends the session and forgets everything of it. */
export function useEndSession() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      const { error } = await authClient.signOut()
      if (error) throw new Error(error.message || messages.request.failed)
      sessionStore.clear()
      remove(tabKeys.unsaved)
      forgetDrafts()
      queryClient.clear()
    },
    meta: { failure: messages.auth.signOutFailed },
  })
}
