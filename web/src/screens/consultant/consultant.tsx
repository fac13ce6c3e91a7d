import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { RoleGate, useUser } from '@/features/auth/gate'
import { servicesQuery } from '@/features/directory/queries'
import { CompletedList } from '@/features/visits/completed-list'
import { MyQueue } from '@/features/visits/my-queue'
import { todayQuery } from '@/features/visits/queries'
import { SessionCard } from '@/features/visits/session-card'
import { deskOf } from '@/features/visits/visit'
import { useLive } from '@/live/live'
import { messages } from '@/messages'
import { Availability, Chip, ConnectionBadge } from '@/ui/badges'
import { Icon } from '@/ui/icon'
import { LoadAgain } from '@/ui/load-again'
import { Page, PageHead } from '@/ui/page'
import { Panel } from '@/ui/panel'
import { SkeletonRows } from '@/ui/skeleton-rows'
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
      {today.data ? (
        <Work visits={today.data} />
      ) : (
        <Panel title={text.session.title}>
          {today.isError ? (
            <LoadAgain text={text.mine.loadFailed} onRetry={() => void today.refetch()} />
          ) : (
            <SkeletonRows label={text.loading} />
          )}
        </Panel>
      )}
    </Page>
  )
}

function Work({ visits }: { visits: Parameters<typeof deskOf>[0] }) {
  const user = useUser()
  const services = useQuery(servicesQuery)
  const side = useRef<HTMLDivElement>(null)
  const { session, queue, completed } = deskOf(visits, user)
  const estimate = services.data?.find(({ id }) => id === session?.service.id)?.estimatedTime

  // The buttons are enabled with the next drawing; the next visitor is one key away then, or the empty queue.
  const focusNext = () =>
    requestAnimationFrame(() => {
      const desk = side.current
      const next = desk?.querySelector<HTMLElement>('button:enabled') ?? desk
      next?.focus()
    })

  return (
    <div className="consultant-desk">
      <SessionCard session={session} estimate={estimate} onCompleted={focusNext} />
      <div className="consultant-side" ref={side} tabIndex={-1}>
        <MyQueue queue={queue} busy={session !== undefined} />
        <CompletedList visits={completed} />
      </div>
    </div>
  )
}
