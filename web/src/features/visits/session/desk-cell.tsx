import { Button } from 'antd'
import { useState } from 'react'
import type { Desk } from '@/api/types'
import type { Pinned } from '@/features/visits/data/left-behind'
import { DeskDialog } from '@/features/visits/parts/desk-dialog'
import { DeskState } from '@/features/visits/parts/desk-state'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'

type Props = { desk: Desk; pinned: readonly Pinned[]; timeZone: string }

/** The state of a desk in a table, and the button that changes it. */
export function DeskCell({ desk, ...of }: Props) {
  const [changing, setChanging] = useState(false)
  return (
    <span className="row-actions">
      <DeskState desk={desk} />
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
