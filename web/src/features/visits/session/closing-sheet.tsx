import { useQuery } from '@tanstack/react-query'
import { Button, Drawer } from 'antd'
import type { Visit } from '@/api/types'
import { useAct } from '@/features/visits/data/act'
import { may, subjectOf, type Actor } from '@/features/visits/data/actions'
import { useBatch } from '@/features/visits/data/batch'
import { heldWords } from '@/features/visits/data/held-words'
import type { Intent } from '@/features/visits/data/intent'
import { todayQuery } from '@/features/visits/data/queries'
import { isOpen } from '@/features/visits/data/stage'
import { VisitService } from '@/features/visits/parts/visit-service'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { Empty } from '@/ui/empty'
import { useOfficeTime } from '@/ui/office-time'
import { StageTag } from '@/ui/stage-tag'
import { Token } from '@/ui/token'
import { useIsPhone } from '@/ui/use-is-phone'
import { useReturnFocus } from '@/ui/use-return-focus'
import './closing-sheet.css'

const text = messages.life.closing

/** What can be done with an open visit at the end of the day. */
const ends = {
  left: { action: 'leave' },
  carry: { action: 'hold', body: { reason: 'other', note: text.carried } },
  tomorrow: { action: 'hold', body: { reason: 'person', note: text.callTomorrow } },
} as const satisfies Record<string, Intent>

type End = keyof typeof ends
const names = { left: text.leftOf, carry: text.carryOf, tomorrow: text.tomorrowOf } as const

/** The open visits at the end of the day, with a choice for each. */
export function ClosingSheet({ by, onClose }: { by: Actor; onClose: () => void }) {
  useReturnFocus()
  const phone = useIsPhone()
  const time = useOfficeTime()
  const { data: visits = [] } = useQuery(todayQuery())
  const { act, pending } = useAct()
  const all = useBatch()
  const here = visits.filter(isOpen)
  const allowed = (visit: Visit, end: End) => may(ends[end].action, subjectOf(visit, time.today()), by)
  const endAll = (end: 'left' | 'carry') => {
    const { action, ...of } = ends[end]
    all.act(
      here.filter((visit) => allowed(visit, end)),
      { action, ...('body' in of ? of.body : {}) },
    )
  }

  return (
    <Drawer
      open
      title={text.title}
      size={phone ? '100%' : 640}
      closable={{ placement: 'end', 'aria-label': messages.life.close }}
      onClose={onClose}
    >
      {here.length === 0 ? (
        <Empty text={text.empty} />
      ) : (
        <>
          <p className="closing-explain">{text.explain}</p>
          <div className="closing-all">
            <Button size="small" disabled={all.pending} onClick={() => endAll('carry')}>
              {text.allCarry}
            </Button>
            <Button size="small" disabled={all.pending} onClick={() => endAll('left')}>
              {text.allLeft}
            </Button>
          </div>
          <ul className="closing">
            {here.map((visit) => (
              <Entry
                key={visit.id}
                visit={visit}
                busy={pending || all.pending}
                allowed={(end) => allowed(visit, end)}
                onEnd={(end) => act(visit, ends[end])}
              />
            ))}
          </ul>
        </>
      )}
    </Drawer>
  )
}

type EntryProps = {
  visit: Visit
  busy: boolean
  allowed: (end: End) => boolean
  onEnd: (end: End) => void
}

function Entry({ visit, busy, allowed, onEnd }: EntryProps) {
  const time = useOfficeTime()
  const { token, name, queue, assignedConsultant: consultant } = visit
  const held = heldWords(visit, time.time)
  return (
    <li className="closing-entry small-texts">
      <Token small token={token} also={visit.tokenAlso} />
      <span>
        <b>{name}</b>
        <small>
          <VisitService of={visit} />
          {consultant ? ` ${fill(text.startedBy, { name: consultant })}` : null}
        </small>
        {held ? <small>{held}</small> : null}
      </span>
      <StageTag status={visit.status} queue={queue} />
      <span className="closing-acts">
        {(Object.keys(ends) as End[]).filter(allowed).map((end) => (
          <Button
            key={end}
            size="small"
            disabled={busy}
            aria-label={fill(names[end], { token })}
            onClick={() => onEnd(end)}
          >
            {text[end]}
          </Button>
        ))}
      </span>
    </li>
  )
}
