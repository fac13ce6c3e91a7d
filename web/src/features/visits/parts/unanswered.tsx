import { isUnanswered } from '@/api/fault'
import { useLive } from '@/live/live'
import { messages } from '@/messages'
import { Icon } from '@/ui/icon'
import './unanswered.css'

type Props = {
  /** The failure of the last request of the control. */
  error: Error | null
  /** Whether the control has input, which is kept. */
  typed?: boolean
}

/** The note beside a control whose request got no response, or whose input cannot be sent now. */
export function Unanswered({ error, typed = false }: Props) {
  const { connected } = useLive()
  const said = isUnanswered(error) || (typed && !connected)
  return (
    <div className="unanswered" role="status">
      {said ? (
        <>
          <Icon name="wifiOff" size={18} />
          <span>{typed ? messages.connection.none : messages.problems.unreached}</span>
        </>
      ) : null}
    </div>
  )
}
