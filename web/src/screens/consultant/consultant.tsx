import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { RoleGate, useUser } from '@/features/auth/gate'
import { servicesQuery } from '@/features/directory/queries'
import { CompletedList, CompletedSkeleton } from '@/features/visits/completed-list'
import { MyQueue, QueueSkeleton } from '@/features/visits/my-queue'
import { todayQuery } from '@/features/visits/queries'
import { SessionCard, SessionSkeleton } from '@/features/visits/session-card'
import { UnsentSessions } from '@/features/visits/unsent-notes'
import { deskOf } from '@/features/visits/visit'
import { useLive } from '@/live/live'
import { messages } from '@/messages'
import { Availability, Chip, ConnectionBadge } from '@/ui/badges'
import { Icon } from '@/ui/icon'
import { LoadAgain } from '@/ui/load-again'
import { Page, PageHead } from '@/ui/page'
import { Panel } from '@/ui/panel'
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
              <Availability available />
            </Chip>
          </>
        }
      />
      {today.data ? <Work visits={today.data} /> : null}
      {today.isPending ? <Waiting /> : null}
      {today.isLoadingError ? (
        <Panel title={text.session.title}>
          <LoadAgain text={text.mine.loadFailed} onRetry={() => void today.refetch()} />
        </Panel>
      ) : null}
    </Page>
  )
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

function Work({ visits }: { visits: Parameters<typeof deskOf>[0] }) {
  const user = useUser()
  const services = useQuery(servicesQuery)
  const side = useRef<HTMLDivElement>(null)
  const { session, queue, completed } = deskOf(visits, user)
  const estimate = services.data?.find(({ id }) => id === session?.service.id)?.estimatedTime

  // The notes and the focus disappear with the session: focus moves to the next visitor, or to the empty queue.
  const running = session?.id
  const before = useRef(running)
  useEffect(() => {
    const ended = before.current !== undefined && running === undefined
    before.current = running
    if (!ended || document.activeElement !== document.body) return
    const next = side.current?.querySelector<HTMLElement>('button:enabled') ?? side.current
    next?.focus()
  }, [running])

  return (
    <div className="consultant-desk">
      <div className="consultant-session">
        <UnsentSessions visits={visits} />
        <SessionCard session={session} estimate={estimate} />
      </div>
      <div className="consultant-side" ref={side} tabIndex={-1}>
        <MyQueue queue={queue} busy={session !== undefined} />
        <CompletedList visits={completed} />
      </div>
    </div>
  )
}
