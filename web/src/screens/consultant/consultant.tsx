import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, type RefObject } from 'react'
import type { Place, Visit } from '@/api/types'
import { RoleGate, useUser } from '@/features/auth/gate'
import { servicesQuery } from '@/features/directory/queries'
import { useOffice } from '@/features/office/use-office'
import { subjectOf } from '@/features/visits/data/actions'
import { deskChip } from '@/features/visits/data/desk-words'
import { startSession } from '@/features/visits/data/mutations'
import { desksQuery, lineQuery, todayQuery } from '@/features/visits/data/queries'
import { deskOf } from '@/features/visits/data/visit'
import { CalledCard } from '@/features/visits/session/called-card'
import { CompletedList, CompletedSkeleton } from '@/features/visits/session/completed-list'
import { LineForYou } from '@/features/visits/line/line-for-you'
import { canCallNext, MyDesk, useNext } from '@/features/visits/session/my-desk'
import { MyQueue, QueueSkeleton } from '@/features/visits/session/my-queue'
import { NextInLine, NextVisitor } from '@/features/visits/session/next-visitor'
import { SessionCard, SessionSkeleton } from '@/features/visits/session/session-card'
import { UnsentSessions } from '@/features/visits/parts/unsent-notes'
import { useVisitActions } from '@/features/visits/dialogs/use-visit-actions'
import { inBackground } from '@/in-background'
import { useLive } from '@/live/live'
import { messages } from '@/staff-messages'
import { Availability, Chip, ConnectionBadge } from '@/ui/badges'
import { Icon } from '@/ui/icon'
import { LoadAgain } from '@/ui/load-again'
import { useOfficeTime } from '@/ui/office-time'
import { Page, PageHead } from '@/ui/page'
import { Panel } from '@/ui/panel'
import { useShortcuts } from '@/ui/shortcuts'
import { useShortcutsHelp } from '@/ui/shortcuts-help'
import './consultant.css'

export function Consultant() {
  return (
    <RoleGate allow={['consultant', 'admin']}>
      <Desk />
    </RoleGate>
  )
}

const text = messages.visits

function Desk() {
  const user = useUser()
  const { connected } = useLive()
  const today = useQuery(todayQuery(text.mine.loadFailed))
  const inSession = deskOf(today.data ?? [], user).session !== undefined
  useShortcutsHelp(messages.consultant.shortcuts)

  return (
    <Page>
      <PageHead
        title={messages.consultant.title}
        badges={
          <>
            <ConnectionBadge connected={connected} />
            <Chip>
              <Icon name="user" size={16} />
              {user.name}
            </Chip>
            <Chip>
              <Activity inSession={inSession} />
            </Chip>
          </>
        }
      />
      {today.data ? <Work visits={today.data} /> : null}
      {today.isPending ? <Waiting /> : null}
      {today.isLoadingError ? (
        <Panel title={text.session.title}>
          <LoadAgain text={text.mine.loadFailed} onRetry={() => inBackground(today.refetch())} />
        </Panel>
      ) : null}
    </Page>
  )
}

function useOwnDesk() {
  const user = useUser()
  const { data: desks } = useQuery(desksQuery)
  return desks?.find(({ consultantId }) => consultantId === user.id)
}

/** In session, on a break, or available. */
function Activity({ inSession }: { inSession: boolean }) {
  const desk = useOwnDesk()
  if (inSession) return messages.directory.inSession
  return desk?.state === 'break' ? deskChip(desk) : <Availability available />
}

/** The ticket of the next visitor: of the own queue, or of the line. */
function nextOf(visit: Visit | undefined, place: Place | undefined) {
  if (visit) return <NextVisitor key={visit.id} visit={visit} />
  return place ? <NextInLine place={place} /> : null
}

/** Placeholder of the screen. */
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

type Chosen = 'recall' | 'miss' | 'hold' | 'transfer'

/** F2 is Next or Start Session, whichever can be pressed. */
function useDeskKeys(called: Visit | undefined, onNext: () => void, choose: (action: Chosen) => void) {
  const start = useMutation(startSession)
  useShortcuts({
    F2: () => {
      if (!called) onNext()
      else if (!start.isPending) start.mutate(called)
    },
    F8: () => choose('recall'),
    'Shift+F8': () => choose('miss'),
    F9: () => choose('hold'),
    'Shift+F9': () => choose('transfer'),
  })
}

function Work({ visits }: { visits: Parameters<typeof deskOf>[0] }) {
  const user = useUser()
  const { timeZone, brand, languages = [] } = useOffice()
  const time = useOfficeTime()
  const services = useQuery(servicesQuery)
  const line = useQuery(lineQuery)
  const desk = useOwnDesk()
  const side = useRef<HTMLDivElement>(null)
  const { session, called, queue, aside, completed } = deskOf(visits, user)
  const estimate = services.data?.find(({ id }) => id === session?.service.id)?.estimatedTime
  const places = line.data?.line ?? []
  const subject = (visit: Visit) => subjectOf(visit, time.today())
  const next = useNext()
  const actions = useVisitActions({
    by: user,
    services: services.data ?? [],
    timeZone,
    office: { brand, languages },
    today: time.today(),
  })
  const inHand = called ?? session

  const choose = (action: Chosen) => {
    const of = action === 'recall' || action === 'miss' ? called : inHand
    if (of) actions.choose(subject(of), { action })
  }
  const onNext = () => {
    if (canCallNext({ desk, line: places, session, called })) next.call()
  }
  useDeskKeys(called, onNext, choose)
  useFocusAfter(session?.id, called?.id, side)

  return (
    <div className="consultant-desk">
      <div className="consultant-session">
        <UnsentSessions visits={visits} />
        {called ? <CalledCard key={called.id} called={called} busy={actions.pending} onAct={choose} /> : null}
        <SessionCard
          session={session}
          estimate={estimate}
          next={called ? null : nextOf(queue[0], places[0])}
          onAct={choose}
        />
      </div>
      <div className="consultant-side" ref={side} tabIndex={-1}>
        {desk ? (
          <MyDesk
            desk={desk}
            line={places}
            session={session}
            called={called}
            pinned={queue.filter(({ id }) => id !== called?.id)}
            timeZone={timeZone}
            next={next}
            quiet={!session && !called && queue.length > 0}
          />
        ) : null}
        <MyQueue
          queue={queue}
          aside={aside}
          busy={session !== undefined}
          calledId={called?.id}
          menuOf={actions.menuOfVisit}
        />
        {desk ? (
          <LineForYou
            places={places.filter(({ pinnedTo }) => pinnedTo === null)}
            busy={inHand !== undefined || actions.pending}
            onCall={(visit) => actions.act(visit, { action: 'call', body: {} })}
            accuracy={line.data?.accuracy}
          />
        ) : null}
        <CompletedList visits={completed} menuOf={actions.menuOfVisit} />
      </div>
      {actions.dialog}
    </div>
  )
}

/**
 * When the session or the call ends, its buttons disappear with the focus: focus moves to the next visitor, or to the
 * button that calls one.
 */
function useFocusAfter(
  session: string | undefined,
  called: string | undefined,
  side: RefObject<HTMLDivElement | null>,
) {
  const running = session ?? called
  const before = useRef(running)
  useEffect(() => {
    const ended = before.current !== undefined && running === undefined
    before.current = running
    if (!ended || document.activeElement !== document.body) return
    const first = (selector: string) => side.current?.querySelector<HTMLElement>(selector)
    const next = first('.my-queue button:enabled') ?? first('.next-card button:enabled') ?? side.current
    next?.focus()
  }, [running, side])
}
