import { Button } from 'antd'
import { useState } from 'react'
import type { Desk } from '@/api/types'
import { deskChip } from '@/features/visits/data/desk-words'
import type { Pinned } from '@/features/visits/data/left-behind'
import { DeskDialog } from '@/features/visits/parts/desk-dialog'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { useOfficeTime } from '@/ui/office-time'
import '@/features/visits/parts/desk-chip.css'

type Props = { desk: Desk; pinned: readonly Pinned[]; timeZone: string }

/** The state of a desk in a table, and the button that changes it. */
export function DeskCell({ desk, ...of }: Props) {
  const time = useOfficeTime()
  const [changing, setChanging] = useState(false)
  return (
    <span className="row-actions">
      <span className={`desk-chip desk-${desk.state}`}>{deskChip(desk, time.time)}</span>
      <Button
        size="small"
        aria-label={fill(messages.life.desk.changeOf, { name: desk.name })}
        onClick={() => setChanging(true)}
      >
        {messages.life.desk.change}
      </Button>
      {changing ? <DeskDialog desk={desk} {...of} own={false} onClose={() => setChanging(false)} /> : null}
    </span>
  )
}
