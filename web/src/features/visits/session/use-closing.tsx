import { Button } from 'antd'
import { Suspense, useState } from 'react'
import { chunk } from '@/chunk'
import type { Actor } from '@/features/visits/data/actions'
import { messages } from '@/staff-messages'
import type { Hours } from './closing-sheet'

// The sheet is loaded when it is first opened, because it is needed once a day.
const ClosingSheet = chunk(async () => (await import('./closing-sheet')).ClosingSheet)

/**
 * The list of the open visits at the end of the day, and the button that opens it. The list stays open when the button
 * gets another place, as when a phone is turned.
 */
export function useClosing(of: { by: Actor; office: Hours }) {
  const [open, setOpen] = useState(false)
  const button = (
    <Button size="small" onClick={() => setOpen(true)}>
      {messages.life.closing.open}
    </Button>
  )
  const sheet = open ? (
    <Suspense fallback={null}>
      <ClosingSheet {...of} onClose={() => setOpen(false)} />
    </Suspense>
  ) : null
  return { button, sheet }
}
