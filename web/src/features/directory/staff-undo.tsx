import { useMutation } from '@tanstack/react-query'
import { Button } from 'antd'
import { useEffect } from 'react'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import type { Staff } from './models'
import { undoStaff } from './mutations'

const text = messages.directory.staff

/** How long the server allows an undo. */
const undoMs = 30_000

/** A change of a member of staff in one sentence, which can be undone for a short time. */
export type StaffChangeMade = { staff: Pick<Staff, 'id' | 'name'>; sentence: string }

/** The last change, with a button that undoes it until its time is over. */
export function StaffUndo({ made, onEnd }: { made: StaffChangeMade; onEnd: () => void }) {
  const undo = useMutation(undoStaff)
  useEffect(() => {
    const timer = setTimeout(onEnd, undoMs)
    return () => clearTimeout(timer)
  }, [made, onEnd])
  return (
    <div className="staff-undo" role="status">
      <span>{made.sentence}</span>
      <Button
        size="small"
        disabled={undo.isPending}
        aria-label={fill(text.undoOf, { sentence: made.sentence })}
        onClick={() => undo.mutate(made.staff, { onSettled: onEnd })}
      >
        {text.undo}
      </Button>
    </div>
  )
}
