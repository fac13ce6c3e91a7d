import { Button } from 'antd'
import { useNavigate } from 'react-router'
import { inBackground } from '@/in-background'
import { messages } from '@/messages'
import { StateScreen } from '@/ui/state-screen'

/** Shown for every address without a route. */
export function NotFound() {
  const navigate = useNavigate()
  const text = messages.notFound
  return (
    <StateScreen
      title={text.title}
      text={text.text}
      kicker={text.kicker}
      ticket={text.ticket}
      action={
        <Button type="primary" size="large" onClick={() => inBackground(navigate('/'))}>
          {text.home}
        </Button>
      }
    />
  )
}
