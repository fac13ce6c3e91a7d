import { Button } from 'antd'
import { Suspense, useState } from 'react'
import { chunk } from '@/chunk'
import type { Desk } from '@/api/types'
import type { Pinned } from '@/features/visits/data/left-behind'
import { DeskState } from '@/features/visits/parts/desk-state'
import { messages } from '@/staff-messages'
import { Panel } from '@/ui/panel'
import './own-desk.css'

const text = messages.life.desk

// The dialog is loaded when it is first opened, because it is needed only a few times a day.
const DeskDialog = chunk(async () => (await import('@/features/visits/parts/desk-dialog')).DeskDialog)

type Props = {
  desk: Desk
  /** The visitors who wait for this consultant alone. */
  pinned: readonly Pinned[]
  timeZone: string
}

/**
 * The consultant's desk: its state with the button that changes it, and the dialog. The dialog stays open when the
 * panel moves in the page.
 */
export function useDeskPanel(desk: Desk | undefined, of: Omit<Props, 'desk'>) {
  const [changing, setChanging] = useState(false)
  if (!desk) return { panel: null, dialog: null }
  const panel = (
    <Panel title={text.title}>
      <div className="own-desk">
        <DeskState desk={desk} />
        <Button onClick={() => setChanging(true)}>{text.change}</Button>
      </div>
    </Panel>
  )
  const dialog = changing ? (
    <Suspense fallback={null}>
      <DeskDialog desk={desk} {...of} own onClose={() => setChanging(false)} />
    </Suspense>
  ) : null
  return { panel, dialog }
}
