import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useRef, type ReactNode, type RefObject } from 'react'
import type { Desk, Line, Visit } from '@/api/types'
import { chunk } from '@/chunk'
import { RoleGate, useUser } from '@/features/auth/gate'
import { servicesQuery } from '@/features/directory/queries'
import { useOffice } from '@/features/office/use-office'
import { subjectOf } from '@/features/visits/data/actions'
import { lineQuery, todayQuery } from '@/features/visits/data/queries'
import { deskOf } from '@/features/visits/data/visit'
import { useVisitActions } from '@/features/visits/dialogs/use-visit-actions'
import { DeskState } from '@/features/visits/parts/desk-state'
import { UnsentSessions } from '@/features/visits/parts/unsent-notes'
import { CompletedList, CompletedSkeleton } from '@/features/visits/session/completed-list'
import { isAssigned, useMyLine, type Row } from '@/features/visits/session/my-line'
import { MyQueue, QueueSkeleton } from '@/features/visits/session/my-queue'
import { NextCard } from '@/features/visits/session/next-card'
import { OpenCall, type OfCall } from '@/features/visits/session/open-call'
import { isClosed, OpenDesk } from '@/features/visits/session/open-desk'
import { useDeskPanel } from '@/features/visits/session/own-desk'
import { SessionCard, SessionSkeleton } from '@/features/visits/session/session-card'
import { useCall, type Call } from '@/features/visits/session/use-call'
import { useOwnDesk } from '@/features/visits/session/use-own-desk'
import { useStart, type Start } from '@/features/visits/session/use-start'
import { inBackground } from '@/in-background'
import { useLive } from '@/live/live'
import { messages } from '@/staff-messages'
import { Availability, Chip, ConnectionBadge } from '@/ui/badges'
import { Empty } from '@/ui/empty'
import { Icon } from '@/ui/icon'
import { LoadAgain } from '@/ui/load-again'
import { useOfficeTime } from '@/ui/office-time'
import { Page, PageHead } from '@/ui/page'
import { Panel } from '@/ui/panel'
import { useShortcuts } from '@/ui/shortcuts'
import { useShortcutsHelp } from '@/ui/shortcuts-help'
import { StageTag } from '@/ui/stage-tag'
import { useIsPhone } from '@/ui/use-is-phone'
import './consultant.css'

export function Consultant() {
  return (
    <RoleGate allow={['consultant', 'admin']}>
      <Screen />
    </RoleGate>
  )
}

const text = messages.visits

const BookedToday = chunk(async () => (await import('@/features/appointments/booked-today')).BookedToday)
const OwnCalendars = chunk(async () => (await import('@/features/calendars/calendars')).OwnCalendars)

function Screen() {
  const user = useUser()
  const today = useQuery(todayQuery(text.mine.loadFailed))
  const line = useQuery(lineQuery)
  const services = useQuery(servicesQuery)
  const own = useOwnDesk(user, today.data)
  useShortcutsHelp(messages.consultant.shortcuts)
  // The lists are shown when all responses are there, so that no list moves when the last response arrives. Only the
  // first read of the line counts: if it fails, the line is read again while the error message stays.
  const isFirstRead = line.isPending && !line.isFetched
  const visits = isFirstRead || services.isPending || own.isPending ? undefined : today.data

  return (
    <Page>
      <Head visits={visits} desk={visits || today.isLoadingError ? own.desk : undefined} />
      {visits ? (
        <Work
          visits={visits}
          line={line.data}
          onRetry={() => inBackground(line.refetch())}
          isReading={line.isFetching || today.isFetching}
          own={own}
        />
      ) : null}
      {visits || today.isLoadingError ? null : <Waiting />}
      {today.isLoadingError ? (
        <Panel title={text.session.title}>
          <LoadAgain text={text.mine.loadFailed} onRetry={() => inBackground(today.refetch())} />
        </Panel>
      ) : null}
    </Page>
  )
}

type HeadProps = { visits: readonly Visit[] | undefined; desk: Desk | undefined }

/** The head shows the desk's state. If the visits are known and no session runs, also whether the queue is empty. */
function Head({ visits, desk }: HeadProps) {
  const user = useUser()
  const { connected, connecting } = useLive()
  const { session, queue } = deskOf(visits ?? [], user)
  const free = desk?.state === 'open' && !desk.visit
  return (
    <PageHead
      title={messages.consultant.title}
      badges={
        <>
          <ConnectionBadge connected={connected} connecting={connecting} />
          <Chip>
            <Icon name="user" size={16} />
            {user.name}
          </Chip>
          {desk ? (
            <Chip>
              <DeskState desk={desk} />
            </Chip>
          ) : null}
          {visits && !session ? (
            <Chip>
              <Availability available={queue.length === 0} free={free} />
            </Chip>
          ) : null}
        </>
      }
    />
  )
}

function Waiting() {
  return (
    <div className="consultant-desk">
      <SessionSkeleton />
      <div className="consultant-side">
        <QueueSkeleton />
        <CompletedSkeleton />
      </div>
    </div>
  )
}

type OwnDeskState = ReturnType<typeof useOwnDesk>
type WorkProps = {
  visits: readonly Visit[]
  /** Undefined if it could not be read. */
  line: Line | undefined
  onRetry: () => void
  /** Whether the visits or the line are being read. */
  isReading: boolean
  own: OwnDeskState
}

function Work({ visits, line, onRetry, isReading, own }: WorkProps) {
  const user = useUser()
  const { timeZone, queue: policy } = useOffice()
  const side = useRef<HTMLDivElement>(null)
  const { desk } = own
  const { mine, session, called, queue, aside, completed } = deskOf(visits, user)
  const rows = useMyLine(mine, desk ? (line?.line ?? []) : [], isReading)
  const [start, call, actions] = [useStart(), useCall(), useActions()]
  const busy = start.pending || call.pending || actions.pending
  const inHand = session ?? called
  const handPick = policy?.handPick ?? true
  const closed = desk !== undefined && isClosed(desk)
  // Without the line it is not known who is next. An admin has no desk, and needs no line.
  const retry = desk && !line ? onRetry : undefined
  const startFirst = () => {
    const first = rows[0]
    if (busy || session || !first) return
    if (retry ? called : isAssigned(first) || handPick) start.start(first)
  }
  const act: Act = (visit, action) => {
    if (!busy) actions.actOn(visit, action)
  }
  useShortcuts({
    'Ctrl+F2': startFirst,
    F9: () => act(inHand, 'hold'),
    'Shift+F9': () => act(inHand, 'transfer'),
  })
  useFocusAfter({ visit: inHand?.id, closed, busy }, side)

  // On a phone the visitors come before the panel of the desk: the head already shows the desk's state.
  const phone = useIsPhone()
  const pinned = queue.filter(({ id }) => id !== called?.id)
  const ownDesk = useDeskPanel(desk, { pinned, timeZone })
  return (
    <div className="consultant-desk">
      <div className="consultant-session">
        <UnsentSessions visits={visits} />
        <Card session={session} called={called} start={start} busy={busy} onAct={act} onStart={startFirst}>
          <Idle own={own} rows={rows} call={call} busy={busy} onRetry={retry} />
        </Card>
      </div>
      <div className="consultant-side" ref={side} tabIndex={-1}>
        {phone ? null : ownDesk.panel}
        <MyQueue
          rows={rows}
          aside={aside}
          inHand={inHand}
          canCall={desk !== undefined && !closed && !inHand}
          handPick={handPick}
          last={desk?.state === 'last'}
          start={start}
          busy={busy}
          menuOf={actions.menuOf}
          onRetry={retry}
        />
        <CompletedList visits={completed} menuOf={actions.menuOfVisit} />
        {phone ? ownDesk.panel : null}
        {user.role === 'consultant' ? (
          <Suspense fallback={null}>
            <BookedToday />
            <OwnCalendars consultant={user.id} />
          </Suspense>
        ) : null}
      </div>
      {ownDesk.dialog}
      {actions.dialog}
    </div>
  )
}

type Act = (visit: Visit | undefined, action: OfCall) => void

/** The menus and dialogs of the consultant's visits. */
function useActions() {
  const by = useUser()
  const { timeZone, brand, languages = [] } = useOffice()
  const services = useQuery(servicesQuery).data ?? []
  const today = useOfficeTime().today()
  const actions = useVisitActions({ by, services, timeZone, office: { brand, languages }, today })
  const actOn: Act = (visit, action) => {
    if (visit) actions.choose(subjectOf(visit, today), { action })
  }
  return { ...actions, actOn }
}

type CardProps = {
  session: Visit | undefined
  called: Visit | undefined
  start: Start
  busy: boolean
  onAct: Act
  onStart: () => void
  children: ReactNode
}

function Card({ session, called, start, busy, onAct, onStart, children }: CardProps) {
  const services = useQuery(servicesQuery)
  return (
    <SessionCard
      session={session}
      estimate={services.data?.find(({ id }) => id === session?.service.id)?.estimatedTime}
      tag={called ? <StageTag status={called.status} queue={called.queue} /> : undefined}
      onAct={(action) => onAct(session, action)}
    >
      {called ? (
        <OpenCall
          key={called.id}
          called={called}
          busy={busy}
          isStarting={start.isStarting(called.id)}
          error={start.errorOf(called.id)}
          onStart={onStart}
          onAct={(action) => onAct(called, action)}
        />
      ) : (
        children
      )}
    </SessionCard>
  )
}

type IdleProps = {
  own: OwnDeskState
  rows: readonly Row[]
  call: Call
  busy: boolean
  /** Reads the line again; undefined if the line is known or not needed. */
  onRetry: (() => void) | undefined
}

/** What the card shows while no visitor is called or in session. */
function Idle({ own: { desk, isExpected, retry }, rows, call, busy, onRetry }: IdleProps) {
  if (retry) return <LoadAgain text={messages.life.line.loadFailed} onRetry={retry} />
  if (!desk) return <Empty text={isExpected ? messages.life.desk.preparing : text.session.none} />
  if (isClosed(desk))
    return (
      <OpenDesk key={`${desk.state}/${desk.counter ?? ''}`} desk={desk} waiting={onRetry ? 0 : rows.length} />
    )
  if (onRetry) return <LoadAgain text={messages.life.line.loadFailed} onRetry={onRetry} />
  const first = rows[0]
  if (!first) return <Empty text={text.session.none} />
  return <NextCard row={first} call={call} busy={busy} />
}

/**
 * The start button of the first row, because only that visitor is next. The rows of the folded list below are excluded.
 */
const firstStart = '.my-queue .scroll-region li:first-child .ant-btn:not(.row-menu):enabled'

/**
 * What decides whether the focus moves: the visitor in session or called, a closed desk, a change that is being sent.
 */
type Holder = { visit: string | undefined; closed: boolean; busy: boolean }

/**
 * When a session or call ends or the desk is opened, the buttons that had the focus disappear. The focus
 * moves to the next visitor, or to the filled button after the desk was opened. It does not move while a
 * change is being sent, because the buttons are disabled meanwhile.
 */
function useFocusAfter({ visit, closed, busy }: Holder, side: RefObject<HTMLDivElement | null>) {
  const before = useRef({ visit, closed })
  useEffect(() => {
    if (busy) return
    const ended = before.current.visit !== undefined && visit === undefined
    const opened = before.current.closed && !closed
    before.current = { visit, closed }
    if (!(ended || opened) || document.activeElement !== document.body) return
    const filled = document.querySelector<HTMLElement>('.session-card .ant-btn-primary:enabled')
    const first = side.current?.querySelector<HTMLElement>(firstStart)
    const next = (opened ? filled : null) ?? first ?? filled ?? side.current
    next?.focus()
  }, [visit, closed, busy, side])
}
