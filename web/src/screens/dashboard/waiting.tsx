import { Button } from 'antd'
import { messages as attention } from '@/attention-messages'
import { useSignOut } from '@/features/auth/sign-out'
import { useOffice } from '@/features/office/use-office'
import { fill, messages } from '@/messages'
import { StateScreen } from '@/ui/state-screen'

const { returnToLogin, ticket } = messages.auth

/** The screen of a person who has registered and whom no admin has approved yet. */
export function Waiting() {
  const { brand } = useOffice()
  const signOut = useSignOut('/login')
  return (
    <StateScreen
      live
      title={attention.people.waitingTitle}
      text={fill(attention.people.waiting, { office: brand })}
      kicker={ticket.kicker}
      ticket={ticket.verifying}
      action={
        <Button type="primary" size="large" onClick={signOut}>
          {returnToLogin}
        </Button>
      }
    />
  )
}
