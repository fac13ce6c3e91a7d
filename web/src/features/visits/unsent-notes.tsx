import { Button } from 'antd'
import { useDrafts } from '@/drafts'
import { fill, messages } from '@/messages'
import './unsent-notes.css'

const text = messages.visits.unsent

const prefix = 'decision/'

/** The name of the draft of a decision's notes; it says of which token once the visit is gone from the list. */
export const notesDraft = ({ id, token }: { id: string; token: string }) => `${prefix}${id}/${token}`

/** Notes that nobody can send any more, because their visit was decided elsewhere: shown until they are dismissed. */
export function UnsentNotes({ pending }: { pending: readonly { id: string }[] }) {
  const unsent = useDrafts(prefix)
    .map((draft) => ({ ...draft, parts: draft.name.split('/') }))
    .filter(({ parts: [, id] }) => pending.every((visit) => visit.id !== id))
  return unsent.map(({ name, text: notes, forget, parts: [, , token = ''] }) => (
    <div key={name} className="unsent-notes" role="status">
      <p>{fill(text.decided, { token })}</p>
      <blockquote>{notes}</blockquote>
      <Button size="small" onClick={forget}>
        {text.dismiss}
      </Button>
    </div>
  ))
}
