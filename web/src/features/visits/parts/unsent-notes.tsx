import { Button } from 'antd'
import { useEffect } from 'react'
import type { Visit } from '@/api/types'
import { useDrafts } from '@/drafts'
import { notesPrefixes } from '@/features/visits/data/draft'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import './unsent-notes.css'

const text = messages.visits.unsent

type Stage = keyof typeof notesPrefixes

const idIn = (name: string) => name.split('/')[1] ?? ''
const tokenIn = (name: string) => name.split('/')[2] ?? ''

/**
 * Notes that can no longer be sent, because their visit was changed elsewhere. They are shown until they are dismissed.
 */
function Unsent({ stage, isLost }: { stage: Stage; isLost: (id: string, notes: string) => boolean }) {
  const lost = useDrafts(notesPrefixes[stage]).filter((draft) => isLost(idIn(draft.name), draft.text))
  return lost.map(({ name, text: notes, forget }) => (
    <div key={name} className="unsent-notes" role="status">
      <p>{fill(text[stage], { token: tokenIn(name) })}</p>
      <blockquote>{notes}</blockquote>
      <Button size="small" onClick={forget}>
        {text.dismiss}
      </Button>
    </div>
  ))
}

/** The notes of visits that no longer wait for a decision. */
export function UnsentDecisions({ pending }: { pending: readonly { id: string }[] }) {
  return <Unsent stage="decided" isLost={(id) => pending.every((visit) => visit.id !== id)} />
}

const sameText = (one: string, other: string) => one.normalize().trim() === other.normalize().trim()

/** The notes of sessions that were completed elsewhere with different notes. */
export function UnsentSessions({ visits }: { visits: readonly Visit[] }) {
  const typed = useDrafts(notesPrefixes.completed)
  const endOf = (id: string) => visits.find((visit) => visit.id === id && visit.status === 'completed')
  const isLost = (id: string, notes: string) => {
    const end = endOf(id)
    return end !== undefined && !sameText(end.notes, notes)
  }
  useEffect(() => {
    for (const { name, text: notes, forget } of typed) {
      if (endOf(idIn(name)) && !isLost(idIn(name), notes)) forget()
    }
  })
  return <Unsent stage="completed" isLost={isLost} />
}
