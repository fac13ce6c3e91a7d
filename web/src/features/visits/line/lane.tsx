import { useDroppable } from '@dnd-kit/core'
import { Button } from 'antd'
import { useState } from 'react'
import type { Desk, Place } from '@/api/types'
import { DeskDialog } from '@/features/visits/parts/desk-dialog'
import { DeskState } from '@/features/visits/parts/desk-state'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { Token } from '@/ui/token'
import './lane.css'

const text = messages.life.lanes

type Props = {
  desk: Desk
  /** The visitors who wait for this consultant alone. */
  pins: readonly Place[]
  timeZone: string
}

/** A consultant: the desk, the visitor there, and the pinned visitors. A dropped visitor is pinned. */
export function Lane({ desk, pins, timeZone }: Props) {
  const { name, consultantId } = desk
  const [changing, setChanging] = useState(false)
  const { setNodeRef, isOver } = useDroppable({ id: `lane/${consultantId}`, data: { name } })
  const away = desk.state === 'break' || desk.state === 'off'
  return (
    <li ref={setNodeRef} className={isOver ? 'lane lane-over' : 'lane'} aria-label={name}>
      <div className="lane-head">
        <b>{name}</b>
        <DeskState desk={desk} />
        <Button
          size="small"
          aria-label={fill(messages.life.desk.changeOf, { name })}
          onClick={() => setChanging(true)}
        >
          {messages.life.desk.change}
        </Button>
      </div>
      {pins.length > 0 ? (
        <p className="lane-pins">
          <span>{away ? text.away : fill(text.pins, { name })}</span>
          {pins.map(({ token, tokenAlso, visitId }) => (
            <Token key={visitId} small token={token} also={tokenAlso} />
          ))}
        </p>
      ) : (
        <p className="lane-drop">{text.noPins}</p>
      )}
      {changing ? (
        <DeskDialog
          desk={desk}
          pinned={pins.map((place) => ({ ...place, id: place.visitId }))}
          timeZone={timeZone}
          own={false}
          onClose={() => setChanging(false)}
        />
      ) : null}
    </li>
  )
}
