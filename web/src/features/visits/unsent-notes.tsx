import { Button } from 'antd'
import { useEffect } from 'react'
import type { Visit } from '@/api/types'
import { useDrafts } from '@/drafts'
import { fill, messages } from '@/messages'
import './unsent-notes.css'

const text = messages.visits.unsent

/** Notes are kept by what they are for; the token says of whom once the visit is gone from the list. */
const prefixes = { decided: 'decision/', completed: 'session/' } as const
type Stage = keyof typeof prefixes

type Known = { id: string; token: string }

/** The name of the draft of a decision's notes. */
export const notesDraft = ({ id, token }: Known) => `${prefixes.decided}${id}/${token}`

/** The name of what was typed here during a session, which its draft on the server does not outlast. */
export const sessionDraft = ({ id, token }: Known) => `${prefixes.completed}${id}/${token}`

const idIn = (name: string) => name.split('/')[1] ?? ''
const tokenIn = (name: string) => name.split('/')[2] ?? ''

/** Notes that nobody can send any more, because their visit went on elsewhere: shown until they are dismissed. */
function Unsent({ stage, isLost }: { stage: Stage; isLost: (id: string, notes: string) => boolean }) {
  const lost = useDrafts(prefixes[stage]).filter((draft) => isLost(idIn(draft.name), draft.text))
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

/** Of visitors who no longer wait for a decision. */
export function UnsentDecisions({ pending }: { pending: readonly { id: string }[] }) {
  return <Unsent stage="decided" isLost={(id) => pending.every((visit) => visit.id !== id)} />
}

const sameText = (one: string, other: string) => one.normalize().trim() === other.normalize().trim()

/** Of sessions that were completed elsewhere, with other notes than were typed here. */
export function UnsentSessions({ visits }: { visits: readonly Visit[] }) {
  const typed = useDrafts(prefixes.completed)
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
