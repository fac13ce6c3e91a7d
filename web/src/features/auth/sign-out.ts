import { useMutation, useQueryClient } from '@tanstack/react-query'
import { createContext, use } from 'react'
import { sessionStore } from '@/api/session-store'
import { forgetDrafts } from '@/drafts'
import { inBackground } from '@/in-background'
import { mayLeave } from '@/leaving'
import { pairedDesk } from '@/live/offline-port'
import { messages } from '@/messages'
import { remove, tabKeys } from '@/storage'
import { report } from '@/telemetry/report'
import { authClient, errorOf } from './auth-client'

export type Destination = '/' | '/login'

/** Notifies the gate of an explicit sign-out, with its target page. */
export const DepartureContext = createContext<(destination: Destination) => void>(() => {
  throw new Error('useSignOut needs the gate above it')
})

/** The action of a Sign Out button: unmounts the protected area, then ends the session. */
export function useSignOut(destination: Destination) {
  const depart = use(DepartureContext)
  return () => inBackground(leaveDesk().then((leaves) => (leaves ? depart(destination) : undefined)))
}

/**
 * Asks for confirmation if entries or visitors have not been sent. If these cannot be read, the person is signed out.
 */
const leaveDesk = async () => {
  try {
    if (!(await mayLeave())) return false
    return (await (await pairedDesk())?.askToLeave()) ?? true
  } catch (cause) {
    report.error(cause)
    return true
  }
}

/** Ends the session and deletes its data in the browser. */
export function useEndSession() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      const { error } = await authClient.signOut()
      if (error) throw errorOf(error)
      inBackground(pairedDesk().then((desk) => desk?.forgetPairedDesk()))
      sessionStore.clear()
      remove(tabKeys.unsaved)
      forgetDrafts()
      queryClient.clear()
    },
    meta: { failure: messages.auth.signOutFailed },
  })
}
