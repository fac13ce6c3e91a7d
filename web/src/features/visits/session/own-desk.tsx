import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { Desk } from '@/api/types'
import type { Pinned } from '@/features/visits/data/left-behind'
import { DeskState } from '@/features/visits/parts/desk-state'
import { messages } from '@/staff-messages'
import { Panel } from '@/ui/panel'
import './own-desk.css'

const text = messages.life.desk

// Needed a few times a day.
const DeskDialog = lazy(async () => ({
  default: (await import('@/features/visits/parts/desk-dialog')).DeskDialog,
}))

type Props = {
  desk: Desk
  /** The visitors who wait for this consultant alone. */
  pinned: readonly Pinned[]
  timeZone: string
}

/** The consultant's desk: its state, and the button that changes it. */
export function OwnDesk({ desk, pinned, timeZone }: Props) {
  const [changing, setChanging] = useState(false)
  return (
    <Panel title={text.title}>
      <div className="own-desk">
        <DeskState desk={desk} />
        <Button onClick={() => setChanging(true)}>{text.change}</Button>
      </div>
      {changing ? (
        <Suspense fallback={null}>
          <DeskDialog
            desk={desk}
            pinned={pinned}
            timeZone={timeZone}
            own
            onClose={() => setChanging(false)}
          />
        </Suspense>
      ) : null}
    </Panel>
  )
}
