import { Button } from 'antd'
import type { ReactNode } from 'react'
import type { Place, Visit } from '@/api/types'
import { ownReasonsOf } from '@/features/visits/data/reason-words'
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
import { minutesBetween, useNow, useOfficeTime } from '@/ui/office-time'
import { useServiceNames } from '@/ui/office-words'
import { PanelBody } from '@/ui/panel'
import { PhoneNumber } from '@/ui/phone-number'
import { Kbd, useShortcuts } from '@/ui/shortcuts'
import { Ticket } from '@/ui/ticket'
import type { Row } from './my-line'
import type { Call } from './use-call'
import './next-card.css'

const text = messages.life.next

type Props = {
  row: Row
  call: Call
  busy: boolean
}

/** The first visitor of My Queue, with the button that calls this visitor and no other one; F2 presses it. */
export function NextCard({ row, call, busy }: Props) {
  const { visit, place } = row
  const press = () => {
    if (!busy) call.call(row)
  }
  useShortcuts({ F2: press })
  return (
    <PanelBody>
      <p className="next-none">{messages.visits.session.none}</p>
      {visit ? <KnownVisitor visit={visit} place={place} /> : <UnknownVisitor place={place} />}
      {/* The message says who is next now. It is announced only when the button names that visitor as well. */}
      <p className="next-changed" role="status">
        {call.changed.includes(row.token) ? call.changed : null}
      </p>
      <Button
        type="primary"
        size="large"
        block
        className="next-call"
        icon={<Icon name="bell" size={19} />}
        disabled={busy}
        aria-keyshortcuts="F2"
        onClick={press}
      >
        <CallWords row={row} pending={call.pending} />
      </Button>
      <Unanswered error={call.errorOf(row.id)} />
      {visit ? (
        <>
          <NotesSoFar {...visit} />
          <EarlierVisits key={visit.id} visit={visit} />
        </>
      ) : null}
    </PanelBody>
  )
}

function CallWords({ row: { token, visit, place }, pending }: { row: Row; pending: boolean }) {
  const serviceOf = useServiceNames()
  const service = place ? serviceOf(place.service) : ''
  if (pending) return text.calling
  return (
    <>
      <span className="next-call-words">
        {visit
          ? fill(text.callNamed, { token, name: visit.name })
          : fill(text.callService, { token, service })}
      </span>{' '}
      <Kbd>{text.key}</Kbd>
    </>
  )
}

function KnownVisitor({ visit, place }: { visit: Visit; place: Place | undefined }) {
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
        <Why place={place} otherwise={messages.life.mine.reasons.pinned} />
        <EarlierDay day={visit.day} />
      </Ticket>
      <MissingPapers of={visit} />
    </>
  )
}

/** A visitor of the common line: name, phone and notes are shown once the visitor is called. */
function UnknownVisitor({ place }: { place: Place }) {
  const now = useNow(15_000)
  return (
    <>
      <Ticket
        token={place.token}
        also={place.tokenAlso}
        aside={<Waited minutes={minutesBetween(place.rankAt, now)} />}
      >
        <h3>
          <VisitService of={place} />
        </h3>
        <p>
          <ClassMark of={place.class} />
        </p>
        <Why place={place} otherwise={text.longest} />
      </Ticket>
      <MissingPapers of={place} />
    </>
  )
}

function Why({ place, otherwise }: { place: Place | undefined; otherwise: string }): ReactNode {
  const { time } = useOfficeTime()
  const reasons = place ? ownReasonsOf(place, time) : ''
  return <p className="next-why">{reasons || otherwise}</p>
}

function Waited({ minutes }: { minutes: number }) {
  return <span>{fill(messages.visits.session.waited, { minutes })}</span>
}
