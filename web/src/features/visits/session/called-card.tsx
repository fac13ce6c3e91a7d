import { useMutation } from '@tanstack/react-query'
import { Button } from 'antd'
import type { Visit } from '@/api/types'
import type { ActionName } from '@/features/visits/data/actions'
import { startSession } from '@/features/visits/data/mutations'
import { NotesSoFar } from '@/features/visits/parts/notes-so-far'
import { VisitService } from '@/features/visits/parts/visit-service'
import { fill, plural } from '@/messages'
import { messages } from '@/staff-messages'
import { Icon } from '@/ui/icon'
import { minutesBetween, useNow } from '@/ui/office-time'
import { Panel, PanelBody } from '@/ui/panel'
import { PhoneNumber } from '@/ui/phone-number'
import { StageTag } from '@/ui/stage-tag'
import { Ticket } from '@/ui/ticket'
import { EarlierDay } from '@/features/visits/parts/earlier-day'
import { MissingPapers } from '@/features/visits/parts/missing-papers'
import { Unanswered } from '@/features/visits/parts/unanswered'
import './called-card.css'

const text = messages.life

type Props = {
  called: Visit
  busy: boolean
  onAct: (action: Extract<ActionName, 'recall' | 'miss' | 'hold' | 'transfer'>) => void
}

/** The visitor whom the consultant has called, until the session starts or the visitor is not here. */
export function CalledCard({ called, busy, onAct }: Props) {
  const start = useMutation(startSession)
  const { queue } = called
  return (
    <Panel
      title={text.called.title}
      className="called-card"
      extra={<StageTag status={called.status} stage={queue.stage} counter={queue.counter} />}
    >
      <PanelBody>
        <Ticket token={called.token} also={called.tokenAlso} aside={<Calls visit={called} />}>
          <h3>{called.name}</h3>
          <p>
            <VisitService of={called} />
          </p>
          <p>
            <PhoneNumber phone={called.phone} />
          </p>
          <EarlierDay day={called.day} />
        </Ticket>
        <MissingPapers of={called} />
        <NotesSoFar {...called} />
        <div className="called-actions">
          <Button
            type="primary"
            size="large"
            autoFocus
            icon={<Icon name="play" size={18} />}
            disabled={busy || start.isPending}
            aria-keyshortcuts="F2"
            onClick={() => start.mutate(called)}
          >
            {start.isPending ? messages.visits.mine.starting : messages.visits.mine.start}
          </Button>
          {actions.map(({ action, keys }) => (
            <Button key={action} disabled={busy} aria-keyshortcuts={keys} onClick={() => onAct(action)}>
              {text.actions[action]}
            </Button>
          ))}
        </div>
        <Unanswered error={start.error} />
      </PanelBody>
    </Panel>
  )
}

const actions = [
  { action: 'recall', keys: 'F8' },
  { action: 'miss', keys: 'Shift+F8' },
  { action: 'hold', keys: 'F9' },
  { action: 'transfer', keys: 'Shift+F9' },
] as const

function Calls({ visit: { queue } }: { visit: Visit }) {
  const now = useNow(10_000)
  const minutes = queue.calledAt ? minutesBetween(queue.calledAt, now) : 0
  const ago = minutes === 0 ? text.called.justNow : fill(text.called.minutesAgo, { minutes })
  return (
    <span className="called-calls">
      {fill(plural(text.called.calls, queue.callCount), { count: queue.callCount, ago })}
    </span>
  )
}
