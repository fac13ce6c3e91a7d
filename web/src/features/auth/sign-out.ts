import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { sessionStore } from '@/api/session-store'
import { messages } from '@/messages'
import { authClient } from './auth-client'

const signOutKey = ['auth', 'sign-out']

/**
 * Ends the session, then leaves the protected area. The mutation lasts until the other page stands, so that the gate
 * does not take the signed-out moment for a stranger.
 */
export function useSignOut(destination: '/' | '/login') {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey: signOutKey,
    mutationFn: async () => {
      const { error } = await authClient.signOut()
      if (error) throw new Error(error.message || messages.request.failed)
      sessionStore.clear()
      await navigate(destination, { replace: true })
      queryClient.clear()
    },
    meta: { failure: messages.auth.signOutFailed },
  })
}

/** True from the click on Sign Out until the page has been left. */
export const useIsSigningOut = () => useIsMutating({ mutationKey: signOutKey }) > 0
