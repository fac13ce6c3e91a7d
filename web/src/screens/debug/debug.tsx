import { Button } from 'antd'
import { useNavigate } from 'react-router'
import { authClient } from '@/features/auth/auth-client'
import { useSession } from '@/features/auth/session'
import { CallsBoard } from '@/features/debug/calls-board'
import { Health } from '@/features/debug/health'
import { inBackground } from '@/in-background'
import { debug as text } from '@/locales/debug'
import { fill, messages } from '@/messages'
import { Page, PageHead } from '@/ui/page'
import './debug.css'

export function Debug() {
  const navigate = useNavigate()
  return (
    <Page>
      <div className="debug-texts" lang="en">
        <PageHead
          title={text.title}
          badges={<Health />}
          aside={
            <Button type="link" onClick={() => inBackground(navigate('/login'))}>
              {text.toSignIn}
            </Button>
          }
        />
        <p className="debug-lead">{text.lead}</p>
        <SignedIn />
        <CallsBoard onSessionChange={authClient.sessionChanged} />
      </div>
    </Page>
  )
}

/** The user of the current session; refetched after every request that may change it. */
function SignedIn() {
  const { user, isLoading } = useSession()
  if (isLoading) return <p className="debug-session">{messages.auth.verifying}</p>
  return (
    <p className="debug-session">
      {user ? fill(text.signedIn, { email: user.email, role: user.role }) : text.signedOut}
    </p>
  )
}
