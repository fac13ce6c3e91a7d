import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Visit } from '@/api/types'
import { RoleGate } from '@/features/auth/gate'
import { servicesQuery } from '@/features/directory/queries'
import { SendNotification } from '@/features/notifications/send-notification'
import { IssuedTicket } from '@/features/visits/issued-ticket'
import { todayQuery } from '@/features/visits/queries'
import { QueueList } from '@/features/visits/queue-list'
import { VisitForm } from '@/features/visits/visit-form'
import { useLive } from '@/live/live'
import { messages } from '@/messages'
import { ConnectionBadge } from '@/ui/badges'
import { Page, PageCount, PageHead } from '@/ui/page'
import './receptionist.css'

export function Receptionist() {
  return (
    <RoleGate allow={['reception', 'admin']}>
      <Desk />
    </RoleGate>
  )
}

function Desk() {
  const { connected } = useLive()
  const today = useQuery(todayQuery())
  const services = useQuery(servicesQuery)
  const [issued, setIssued] = useState<Visit | null>(null)
  const offered = services.data?.filter(({ active }) => active) ?? []
  const shown = today.data?.find(({ id }) => id === issued?.id) ?? issued

  return (
    <Page>
      <PageHead
        title={messages.reception.title}
        badges={
          <>
            <ConnectionBadge connected={connected} />
            <SendNotification />
          </>
        }
        aside={<PageCount value={today.data?.length} unit={messages.reception.today} />}
      />
      <div className="reception">
        <div className="reception-form">
          <VisitForm services={offered} loading={services.isPending} onCreated={setIssued} />
        </div>
        <IssuedTicket
          visit={shown}
          minutes={offered.find(({ id }) => id === shown?.service.id)?.estimatedTime}
        />
        <div className="reception-queue">
          <QueueList
            visits={today.data}
            failed={today.isError}
            onRetry={() => void today.refetch()}
            freshId={issued?.id}
          />
        </div>
      </div>
    </Page>
  )
}
