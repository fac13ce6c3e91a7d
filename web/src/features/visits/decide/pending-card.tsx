import { useMutation } from '@tanstack/react-query'
import { Button, Checkbox, Input } from 'antd'
import { Suspense, useState, type ReactNode } from 'react'
import { chunk } from '@/chunk'
import type { Visit } from '@/api/types'
import { useDraft } from '@/drafts'
import { choicesFor, type ConsultantChoice } from '@/features/visits/data/consultant-choice'
import { notesDraft } from '@/features/visits/data/draft'
import { decideVisit, type Decision } from '@/features/visits/data/mutations'
import { arrivalOf } from '@/features/visits/data/order'
import { longestNotes } from '@/features/visits/data/rules'
import { serviceName } from '@/features/visits/data/visit'
import { waitLevel } from '@/features/visits/data/wait'
import { VisitService } from '@/features/visits/parts/visit-service'
import { counted, fill } from '@/messages'
import { messages } from '@/staff-messages'
import { Filled } from '@/ui/filled'
import { minutesBetween } from '@/ui/office-time'
import { PhoneNumber } from '@/ui/phone-number'
import { Blank, BlankLines } from '@/ui/skeleton-rows'
import { StatusTag } from '@/ui/status-tag'
import { Token } from '@/ui/token'
import { ClassMark } from '@/features/visits/parts/class-mark'
import { ConsultantSelect } from './consultant-select'
import { onDecisionKey } from './decision-key'
import { EarlierDay } from '@/features/visits/parts/earlier-day'
import { MissingPapers } from '@/features/visits/parts/missing-papers'
import { Range } from '@/features/visits/parts/range'
import { Unanswered } from '@/features/visits/parts/unanswered'
import './pending-card.css'

type Props = {
  visit: Visit
  now: number
  consultants: readonly ConsultantChoice[]
  /** The published average wait in minutes. */
  publishedWait: number
  paId: string
  onDecided: (visit: Visit) => void
  /** Undefined if rows cannot be selected. */
  select: Select | undefined
  /** While rows are selected, the shortcuts of a decision call these functions instead. */
  several: { approve: () => void; send: () => void } | undefined
  /** Whether a decision about this visitor and others is being sent. */
  sending: boolean
}

const text = messages.visits.pending

const ServiceGone = chunk(async () => (await import('@/features/visits/parts/service-gone')).ServiceGone)
const DenyDialog = chunk(async () => (await import('./deny-dialog')).DenyDialog)

/** A pending visit with the controls of its decision: a row with two lines, or a card on a phone. */
export function PendingCard(props: Props) {
  const { visit, now, consultants, publishedWait, paId, onDecided, select, several, sending } = props
  const choice = useChoice(visit)
  const [asking, setAsking] = useState(false)
  const { notes, type, busy, error, decide } = useDecision(visit, onDecided, sending)
  // A consultant who is no longer active cannot be chosen.
  const consultantId = consultants.some(({ id }) => id === choice.id) ? choice.id : undefined

  const approve = () => {
    if (consultantId !== undefined) decide({ status: 'approved', visit, notes, consultantId, paId })
  }
  const send = () => decide({ status: 'approved', line: true, visit, notes })
  const deny = () => {
    if (notes.trim()) decide({ status: 'denied', visit, notes })
    else if (busy === undefined) setAsking(true)
  }

  return (
    <article
      className="pending-card"
      data-visit={visit.id}
      aria-label={`${visit.token} ${visit.name}`}
      onKeyDownCapture={onDecisionKey({ approve, send, deny, ...several })}
    >
      {select ? <Check token={visit.token} {...select} /> : null}
      <div className="pending-token">
        <Token small token={visit.token} also={visit.tokenAlso} />
        <Wait minutes={minutesBetween(arrivalOf(visit), now)} published={publishedWait} />
      </div>
      <Visitor visit={visit}>
        <Unanswered error={error} typed={notes !== '' || choice.id !== undefined} />
      </Visitor>
      <div className="pending-decision">
        <ConsultantSelect
          label={fill(text.consultantFor, { token: visit.token })}
          choices={choicesFor(serviceName(visit), consultants, visit.queue.askedFor?.id)}
          value={consultantId}
          onChange={choice.choose}
        />
        <Notes token={visit.token} notes={notes} onType={type} />
        <Buttons approvable={consultantId !== undefined} busy={busy} on={{ approve, send, deny }} />
      </div>
      {asking ? (
        <Suspense fallback={null}>
          <DenyDialog
            visit={visit}
            onDeny={(reason) => {
              setAsking(false)
              type(reason) // A retry after a failure does not ask again
              decide({ status: 'denied', visit, notes: reason })
            }}
            onClose={() => setAsking(false)}
          />
        </Suspense>
      ) : null}
    </article>
  )
}

type Select = { selected: boolean; toggle: () => void }

function Check({ token, selected, toggle }: Select & { token: string }) {
  return (
    <Checkbox
      className="pending-check"
      checked={selected}
      aria-label={fill(text.several.select, { token })}
      onChange={toggle}
    />
  )
}

type NotesProps = { token: string; notes: string; onType: (notes: string) => void }

function Notes({ token, notes, onType }: NotesProps) {
  return (
    <div className="pending-notes">
      <Input.TextArea
        aria-label={fill(text.notesFor, { token })}
        placeholder={text.notes}
        rows={1}
        maxLength={longestNotes}
        value={notes}
        onChange={({ target }) => onType(target.value)}
        // With the focus the text area grows, perhaps beyond the end of the list.
        onFocus={({ currentTarget }) => currentTarget.scrollIntoView({ block: 'nearest' })}
      />
    </div>
  )
}

/** The consultant who was chosen in this tab. */
function useChoice(visit: Visit) {
  const draft = useDraft(`choice/${visit.id}`)
  const [id, setId] = useState(() => draft.text() || undefined)
  const choose = (chosen: string) => {
    setId(chosen)
    draft.keep(chosen)
  }
  return { id, choose }
}

type ButtonsProps = {
  approvable: boolean
  busy: Busy
  on: Record<'approve' | 'send' | 'deny', () => void>
}

/** The buttons of a decision. Sending the visitor to the line needs no consultant. */
function Buttons({ approvable, busy, on }: ButtonsProps) {
  return (
    <>
      <Button
        type="primary"
        className="pending-approve"
        disabled={!approvable || busy !== undefined}
        aria-keyshortcuts="Control+Enter"
        onClick={on.approve}
      >
        {busy === 'approved' ? text.approving : text.approve}
      </Button>
      <Button disabled={busy !== undefined} aria-keyshortcuts="Control+Shift+Enter" onClick={on.send}>
        {busy === 'line' ? text.sending : text.sendToLine}
      </Button>
      <Button danger disabled={busy !== undefined} aria-keyshortcuts="Shift+F9" onClick={on.deny}>
        {busy === 'denied' ? text.denying : text.deny}
      </Button>
    </>
  )
}

/** The notes of a decision, kept as a draft, and the function that sends it. */
function useDecision(visit: Visit, onDecided: (visit: Visit) => void, sending: boolean) {
  const draft = useDraft(notesDraft(visit))
  const [notes, setNotes] = useState(draft.text)
  const decision = useMutation({
    ...decideVisit,
    // The draft of a note is deleted while the note is being sent. After a rejection it is stored again, even if the
    // visit has left the list meanwhile.
    onMutate: () => draft.forget(),
    onError: (...failure) => {
      draft.keep(failure[1].notes)
      return decideVisit.onError?.(...failure)
    },
  })
  const own = decision.isPending ? kindOf(decision.variables) : undefined
  const busy: Busy = sending ? 'several' : own
  return {
    notes,
    type: (text: string) => {
      setNotes(text)
      draft.keep(text)
    },
    busy,
    error: decision.error,
    decide: (variables: Decision) => {
      if (busy === undefined) decision.mutate(variables, { onSuccess: () => onDecided(visit) })
    },
  }
}

/** The kind of the decision that is being sent. */
type Busy = ReturnType<typeof kindOf> | 'several' | undefined

const kindOf = (decision: Decision): 'line' | Decision['status'] =>
  'line' in decision ? 'line' : decision.status

/** Name and badges, service and phone, and reception's notes. `children` is an error, shown over the last line. */
function Visitor({ visit, children }: { visit: Visit; children: ReactNode }) {
  return (
    <div className="pending-visitor">
      <h3>
        <span className="pending-name" title={visit.name}>
          {visit.name}
        </span>{' '}
        <StatusTag status="new" /> <ClassMark of={visit.queue.class} />
        <EarlierDay day={visit.day} />
      </h3>
      <p className="pending-service">
        <span>
          <VisitService of={visit} />
        </span>{' '}
        <PhoneNumber phone={visit.phone} />
      </p>
      {/* These details are cut to one line. The focused row and the tooltips show them in full. */}
      <div className="pending-more">
        <Range of={visit.queue} brief />
        {visit.offline?.serviceGone ? (
          <Suspense fallback={null}>
            <ServiceGone />
          </Suspense>
        ) : null}
        <MissingPapers of={visit} />
        {visit.notes ? (
          <p className="pending-said" title={visit.notes}>
            {visit.notes}
          </p>
        ) : null}
      </div>
      {children}
    </div>
  )
}

export function BlankCard() {
  return (
    <div className="pending-card">
      <span className="pending-check" />
      <div className="pending-token">
        <Blank like="token" />
      </div>
      <div className="pending-visitor">
        <BlankLines lines={3} />
      </div>
      <div className="pending-decision">
        {(['pending-select', 'pending-notes', 'pending-approve', '', ''] as const).map((place, index) => (
          <div className={place} key={index}>
            <Blank like="control" />
          </div>
        ))}
      </div>
    </div>
  )
}

function Wait({ minutes, published }: { minutes: number; published: number }) {
  const level = waitLevel(minutes, published)
  return (
    <small className={`pending-wait wait-${level}`}>
      <span>
        <Filled message={messages.visits.minutes} values={{ minutes: <b>{counted(minutes)}</b> }} />
      </span>
      {text.waits[level]}
    </small>
  )
}
