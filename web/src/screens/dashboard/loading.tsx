import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { useUser } from '@/features/auth/gate'
import { homeOf } from '@/features/auth/roles'
import { inBackground } from '@/in-background'
import { messages } from '@/staff-messages'
import { StateScreen } from '@/ui/state-screen'

const pauseMs = 500

/** /dashboard itself: a short delay, then a redirect by role. */
export function LoadingDashboard() {
  const { role } = useUser()
  const navigate = useNavigate()
  const text = messages.dashboard

  useEffect(() => {
    const timer = setTimeout(() => inBackground(navigate(homeOf(role), { replace: true })), pauseMs)
    return () => clearTimeout(timer)
  }, [navigate, role])

  return (
    <StateScreen
      live
      title={text.loading}
      text={text.loadingText}
      kicker={text.kicker}
      ticket={text.ticket}
    />
  )
}
