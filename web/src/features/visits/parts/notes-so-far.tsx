import type { Visit } from '@/api/types'
import { messages } from '@/staff-messages'

const text = messages.visits.session

type Notes = Pick<Visit, 'receptionNotes' | 'paNotes' | 'sessionNotes'>

/** The notes of reception, of the PA, and of the session before it was continued. */
export function NotesSoFar({ receptionNotes, paNotes, sessionNotes }: Notes) {
  if (!receptionNotes && !paNotes && !sessionNotes) return null
  return (
    <dl className="session-notes-so-far">
      {receptionNotes ? (
        <div>
          <dt className="small-text">{text.fromReception}</dt>
          <dd>{receptionNotes}</dd>
        </div>
      ) : null}
      {paNotes ? (
        <div>
          <dt className="small-text">{text.fromPa}</dt>
          <dd>{paNotes}</dd>
        </div>
      ) : null}
      {sessionNotes ? (
        <div>
          <dt className="small-text">{text.fromSession}</dt>
          <dd>{sessionNotes}</dd>
        </div>
      ) : null}
    </dl>
  )
}
