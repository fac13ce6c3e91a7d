import { useDroppable } from '@dnd-kit/core'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import type { Visit } from '@/api/types'
import { heldWords } from '@/features/visits/data/held-words'
import { EarlierDay } from '@/features/visits/parts/earlier-day'
import { VisitService } from '@/features/visits/parts/visit-service'
import { messages } from '@/staff-messages'
import { useOfficeTime } from '@/ui/office-time'
import { Panel, ScrollRegion } from '@/ui/panel'
import { StageTag } from '@/ui/stage-tag'
import { Token } from '@/ui/token'
import './tray.css'

const text = messages.life.tray

type Props = {
  held: readonly Visit[]
  missed: readonly Visit[]
  /** Visits left over from earlier days, oldest first. */
  leftOver: readonly Visit[]
  menuOf: (visit: Visit) => ReactNode
  onAll: (action: LeftOverAction) => void
  busy: boolean
}

export type LeftOverAction = 'resume' | 'leave' | 'cancel'

/** The visitors outside the line. A visitor dropped here is put on hold. */
export function Tray({ held, missed, leftOver, menuOf, onAll, busy }: Props) {
  const { setNodeRef, isOver } = useDroppable({ id: 'tray' })
  return (
    <Panel title={text.title} count={held.length + missed.length + leftOver.length} className="tray">
      <ScrollRegion label={text.title}>
        <div ref={setNodeRef} className={isOver ? 'tray-groups tray-over' : 'tray-groups'}>
          <Group title={text.held} visits={held} empty={text.heldEmpty} menuOf={menuOf} />
          <Group title={text.missed} visits={missed} empty={text.missedEmpty} menuOf={menuOf} />
          {leftOver.length > 0 ? (
            <Group title={text.leftOver} visits={leftOver} menuOf={menuOf}>
              <div className="tray-all">
                {all.map(({ action, label }) => (
                  <Button key={action} size="small" disabled={busy} onClick={() => onAll(action)}>
                    {label}
                  </Button>
                ))}
              </div>
            </Group>
          ) : null}
        </div>
      </ScrollRegion>
    </Panel>
  )
}

const all = [
  { action: 'resume', label: text.allBack },
  { action: 'leave', label: text.allLeft },
  { action: 'cancel', label: text.allCancel },
] as const

type GroupProps = {
  title: string
  visits: readonly Visit[]
  empty?: string
  menuOf: Props['menuOf']
  children?: ReactNode
}

function Group({ title, visits, empty, menuOf, children }: GroupProps) {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {children}
      {visits.length === 0 ? <p className="tray-empty">{empty}</p> : null}
      <ul>
        {visits.map((visit) => (
          <Entry key={visit.id} visit={visit} menu={menuOf(visit)} />
        ))}
      </ul>
    </section>
  )
}

function Entry({ visit, menu }: { visit: Visit; menu: ReactNode }) {
  const time = useOfficeTime()
  const { stage } = visit.queue
  const words = heldWords(visit, time.time)
  const earlier = visit.day < time.today()
  return (
    <li className="tray-entry small-lines" data-visit={visit.id}>
      <Token small token={visit.token} also={visit.tokenAlso} />
      <span>
        <b>{visit.name}</b>
        <small>
          <VisitService of={visit} />
        </small>
        {words ? <small>{words}</small> : null}
        <EarlierDay day={visit.day} />
        {earlier && stage !== 'held' ? <StageTag status={visit.status} queue={visit.queue} /> : null}
      </span>
      {menu}
    </li>
  )
}
