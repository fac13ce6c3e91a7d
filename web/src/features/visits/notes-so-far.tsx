import type { Visit } from '@/api/types'
import { messages } from '@/staff-messages'

const text = messages.visits.session

/** The notes of reception and the PA. */
export function NotesSoFar({ receptionNotes, paNotes }: Pick<Visit, 'receptionNotes' | 'paNotes'>) {
  if (!receptionNotes && !paNotes) return null
  return (
    <dl className="session-notes-so-far">
      {receptionNotes ? (
        <div>
          <dt>{text.fromReception}</dt>
          <dd>{receptionNotes}</dd>
        </div>
      ) : null}
      {paNotes ? (
        <div>
          <dt>{text.fromPa}</dt>
          <dd>{paNotes}</dd>
        </div>
      ) : null}
    </dl>
  )
}
