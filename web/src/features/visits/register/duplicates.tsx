import { Button } from 'antd'
import type { Visit } from '@/api/types'
import { fill, plural } from '@/messages'
import { messages } from '@/staff-messages'
import { Kbd } from '@/ui/shortcuts'

const text = messages.life.duplicates

/** The visits of today with the typed phone number that are not over, and the button that cancels one. */
export function DuplicatesNote({ visits, onOpen }: { visits: readonly Visit[]; onOpen: () => void }) {
  if (visits.length === 0) return null
  const tokens = visits.map(({ token }) => token).join(', ')
  return (
    <>
      <p>{fill(plural(text.note, visits.length), { tokens })}</p>
      <Button size="small" aria-keyshortcuts="Control+Delete" onClick={onOpen}>
        {text.open} <Kbd>{text.key}</Kbd>
      </Button>
    </>
  )
}

/** The visits that reception may cancel as duplicates, latest first. */
export const duplicatesOf = (today: readonly Visit[], phone: string): readonly Visit[] =>
  today.filter((visit) => visit.phone === phone && cancellable.includes(visit.queue.stage)).toReversed()

const cancellable = ['new', 'waiting', 'held', 'missed']
