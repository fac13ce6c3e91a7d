import { useMutation } from '@tanstack/react-query'
import { Button } from 'antd'
import { useNavigate, useSearchParams } from 'react-router'
import { stopEmailChange } from '@/features/auth/by-mail'
import { useOffice } from '@/features/office/use-office'
import { inBackground } from '@/in-background'
import { messages } from '@/messages'
import { SplitPage } from '@/ui/split-page'

const text = messages.stopEmailChange

/** The target of the link mailed to the old address. It acts on a click only: mail scanners open links. */
export function StopEmailChange() {
  const office = useOffice()
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const token = query.get('token')
  const stop = useMutation(stopEmailChange)

  if (token && !stop.data)
    return (
      <SplitPage office={office} title={text.title} subtitle={`${text.subtitle} ${text.effects}`}>
        <Button
          type="primary"
          size="large"
          block
          disabled={stop.isPending}
          onClick={() => stop.mutate(token)}
        >
          {stop.isPending ? messages.auth.busy : text.submit}
        </Button>
      </SplitPage>
    )
  const { title, subtitle, next } = outcomes[stop.data ?? 'ended']
  return (
    <SplitPage office={office} title={title} subtitle={subtitle}>
      {next ? <p role="status">{next}</p> : null}
      <Button type="primary" size="large" block onClick={() => inBackground(navigate('/login'))}>
        {text.toSignIn}
      </Button>
    </SplitPage>
  )
}

const outcomes = {
  stopped: { title: text.stopped, subtitle: text.stoppedText, next: text.next },
  reverted: { title: text.reverted, subtitle: text.revertedText, next: text.next },
  ended: { title: text.ended, subtitle: text.endedText, next: null },
}
