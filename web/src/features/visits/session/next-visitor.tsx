import { useMutation } from '@tanstack/react-query'
import { Button } from 'antd'
import type { Place, Visit } from '@/api/types'
import { startSession } from '@/features/visits/data/mutations'
import { reasonsOf } from '@/features/visits/data/reason-words'
import { ClassMark } from '@/features/visits/parts/class-mark'
import { EarlierDay } from '@/features/visits/parts/earlier-day'
import { EarlierVisits } from '@/features/visits/parts/earlier-visits'
import { MissingPapers } from '@/features/visits/parts/missing-papers'
import { NotesSoFar } from '@/features/visits/parts/notes-so-far'
import { Unanswered } from '@/features/visits/parts/unanswered'
import { VisitService } from '@/features/visits/parts/visit-service'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { Icon } from '@/ui/icon'
import { useOfficeTime } from '@/ui/office-time'
import { PhoneNumber } from '@/ui/phone-number'
import { Ticket } from '@/ui/ticket'
import './next-visitor.css'

const text = messages.visits.session

/** The visitor who is next in the own queue, with the button that starts the session. */
export function NextVisitor({ visit }: { visit: Visit }) {
  const start = useMutation(startSession)
  return (
    <>
      <Ticket token={visit.token} also={visit.tokenAlso} aside={<Waited minutes={visit.waitTime} />}>
        <h3>{visit.name}</h3>
        <p>
          <VisitService of={visit} /> <ClassMark of={visit.queue.class} />
        </p>
        <p>
          <PhoneNumber phone={visit.phone} />
        </p>
        <EarlierDay day={visit.day} />
      </Ticket>
      <MissingPapers of={visit} />
      <NotesSoFar {...visit} />
      <Button
        type="primary"
        size="large"
        block
        className="next-visitor-start"
        icon={<Icon name="play" size={18} />}
        disabled={start.isPending}
        onClick={() => start.mutate(visit)}
      >
        {start.isPending ? messages.visits.mine.starting : fill(text.startWith, { token: visit.token })}
      </Button>
      <Unanswered error={start.error} />
      <EarlierVisits key={visit.id} visit={visit} />
    </>
  )
}

/** The visitor whom the next call would bring: name and notes are shown with the call. */
export function NextInLine({ place }: { place: Place }) {
  const time = useOfficeTime()
  return (
    <Ticket token={place.token} also={place.tokenAlso}>
      <h3>
        <VisitService of={place} />
      </h3>
      <p>
        <ClassMark of={place.class} /> {reasonsOf(place, time.time)}
      </p>
      <MissingPapers of={place} />
    </Ticket>
  )
}

function Waited({ minutes }: { minutes: number }) {
  return <span>{fill(text.waited, { minutes })}</span>
}
