import { useMutation } from '@tanstack/react-query'
import { Button, Form, Input } from 'antd'
import type { KeyboardEvent, ReactNode } from 'react'
import type { Visit } from '@/api/types'
import { useDraft as useTyped } from '@/drafts'
import { notesInOrder, sessionDraft, useDraft, useSavedDraft } from '@/features/visits/data/draft'
import { completeSession } from '@/features/visits/data/mutations'
import { longestNotes } from '@/features/visits/data/rules'
import { EarlierDay } from '@/features/visits/parts/earlier-day'
import { EarlierVisits } from '@/features/visits/parts/earlier-visits'
import { MissingPapers } from '@/features/visits/parts/missing-papers'
import { NotesSoFar } from '@/features/visits/parts/notes-so-far'
import { Unanswered } from '@/features/visits/parts/unanswered'
import { VisitService } from '@/features/visits/parts/visit-service'
import { useLive } from '@/live/live'
import { messages } from '@/staff-messages'
import { Icon } from '@/ui/icon'
import { useNow } from '@/ui/office-time'
import { Panel, PanelBody } from '@/ui/panel'
import { PhoneNumber } from '@/ui/phone-number'
import { Blank, SkeletonRows } from '@/ui/skeleton-rows'
import { StatusTag } from '@/ui/status-tag'
import { Ticket } from '@/ui/ticket'
import { useIsPhone } from '@/ui/use-is-phone'
import { elapsed, shareOf, uninterruptedStart } from './session-timer'
import './session-card.css'

type Props = {
  session: Visit | undefined
  /** The estimated minutes of the session's service. */
  estimate: number | undefined
  /** Shown beside the title while there is no session. */
  tag: ReactNode
  /** Shown in place of a session: the desk to open, the visitor to call, or the called visitor. */
  children: ReactNode
  /** Holds or transfers the session, which stops its timer. */
  onAct: (action: 'hold' | 'transfer') => void
}

const text = messages.visits.session

/** The running session, or the next step towards a session, with the screen's only filled button. */
export function SessionCard({ session, estimate, tag, children, onAct }: Props) {
  return (
    <Panel
      title={text.title}
      className="session-card"
      extra={session ? <StatusTag status={session.status} /> : tag}
    >
      {session ? (
        <PanelBody>
          <Ticket
            token={session.token}
            also={session.tokenAlso}
            aside={<Timer session={session} estimate={estimate} />}
          >
            <h3>{session.name}</h3>
            <p>
              <VisitService of={session} />
            </p>
            <p>
              <PhoneNumber phone={session.phone} />
            </p>
            <EarlierDay day={session.day} />
          </Ticket>
          <MissingPapers of={session} />
          <NotesSoFar {...session} />
          <Completion key={session.id} session={session} onAct={onAct} />
          <EarlierVisits key={`earlier-${session.id}`} visit={session} />
        </PanelBody>
      ) : (
        children
      )}
    </Panel>
  )
}

function Timer({ session, estimate }: { session: Visit; estimate: number | undefined }) {
  const now = useNow(1_000)
  const startedAt = uninterruptedStart(session)
  return (
    <>
      <span className="session-timer" role="timer" aria-label={text.timer}>
        {elapsed(startedAt, now)}
      </span>
      {estimate ? (
        <svg className="session-bar" viewBox="0 0 100 5" preserveAspectRatio="none" aria-hidden="true">
          <rect className="session-bar-whole" width="100" height="5" />
          <rect className="session-bar-done" width={100 * shareOf(startedAt, now, estimate)} height="5" />
        </svg>
      ) : null}
    </>
  )
}

type SessionProps = { session: Visit; onAct: Props['onAct'] }

function Completion({ session, onAct }: SessionProps) {
  const saved = useSavedDraft(session)
  if (saved === undefined) return <NotesSkeleton label={text.loadingDraft} />
  return <Notes session={session} saved={saved} onAct={onAct} />
}

export function SessionSkeleton() {
  return (
    <Panel title={text.title} className="session-card">
      <PanelBody>
        <i className="blank session-blank-ticket" />
        <NotesSkeleton label={messages.visits.loading} />
      </PanelBody>
    </Panel>
  )
}

function NotesSkeleton({ label }: { label: string }) {
  return (
    <SkeletonRows label={label} rows={1}>
      <div className="session-notes session-blank">
        <Blank like="short" />
        <i className="blank blank-control session-blank-notes" />
        <i className="blank blank-control session-blank-button" />
      </div>
    </SkeletonRows>
  )
}

const draftStates = {
  saved: text.draftSaved,
  typing: text.draftSaving,
  failing: text.draftFailing,
} as const

function Notes({ session, saved, onAct }: SessionProps & { saved: string }) {
  const complete = useMutation({ ...completeSession, ...notesInOrder(session) })
  const draft = useDraft(session, saved, complete.isPending || complete.isSuccess)
  const typed = useTyped(sessionDraft(session))
  const phone = useIsPhone()
  const { connected } = useLive()
  const submit = () => {
    if (complete.isPending) return
    draft.stop()
    complete.mutate({ visit: session, notes: draft.notes }, { onError: draft.resume })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit()
  }

  return (
    <Form layout="vertical" className="session-notes" onFinish={submit}>
      <Form.Item label={text.notes} htmlFor="session-notes">
        <Input.TextArea
          id="session-notes"
          rows={phone ? 4 : 7}
          maxLength={longestNotes}
          // On a phone the keyboard would cover the ticket.
          autoFocus={!phone}
          aria-describedby="session-draft"
          value={draft.notes}
          onChange={({ target: { value } }) => {
            typed.keep(value)
            draft.type(value)
          }}
          onKeyDown={onKeyDown}
        />
      </Form.Item>
      <Unanswered error={complete.error} typed={draft.notes !== ''} />
      <div className="session-foot">
        <p id="session-draft">
          <span role="status">
            {!connected || (draft.notes === '' && draft.state === 'saved') ? null : draftStates[draft.state]}
          </span>
          {phone ? null : <kbd className="session-key">{text.completeKey}</kbd>}
        </p>
        <Interruptions disabled={complete.isPending} onAct={onAct} />
        <div className="session-end">
          <Button
            type="primary"
            size="large"
            htmlType="submit"
            icon={<Icon name="check" size={19} />}
            disabled={complete.isPending}
          >
            {complete.isPending ? text.completing : text.complete}
          </Button>
        </div>
      </div>
    </Form>
  )
}

const interruptions = [
  { action: 'hold', keys: 'F9' },
  { action: 'transfer', keys: 'Shift+F9' },
] as const

/** The buttons that stop the session without completing it. */
function Interruptions({ disabled, onAct }: { disabled: boolean; onAct: Props['onAct'] }) {
  return interruptions.map(({ action, keys }) => (
    <Button
      key={action}
      size="large"
      className="session-interrupt"
      disabled={disabled}
      aria-keyshortcuts={keys}
      onClick={() => onAct(action)}
    >
      {messages.life.actions[action]}
    </Button>
  ))
}
