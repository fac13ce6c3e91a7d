import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { Actor } from '@/features/visits/data/actions'
import { messages } from '@/staff-messages'
import type { Hours } from './closing-sheet'

// Needed once a day.
const ClosingSheet = lazy(async () => ({ default: (await import('./closing-sheet')).ClosingSheet }))

/** Opens the list of the open visits at the end of the day. */
export function ClosingButton(of: { by: Actor; office: Hours }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        {messages.life.closing.open}
      </Button>
      {open ? (
        <Suspense fallback={null}>
          <ClosingSheet {...of} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  )
}
