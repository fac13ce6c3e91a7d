import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { Totals } from '@/features/audit/totals'
import { dashboardQuery } from '@/features/audit/queries'
import { RoleGate, useUser } from '@/features/auth/gate'
import { ConsultantsList } from '@/features/directory/consultants-list'
import { isAvailable, type Consultant } from '@/features/directory/models'
import { consultantsQuery } from '@/features/directory/queries'
import { SendNotification } from '@/features/notifications/send-notification'
import { useOffice } from '@/features/office/use-office'
import { PendingList } from '@/features/visits/pending-list'
import { pendingQuery } from '@/features/visits/queries'
import { useLive } from '@/live/live'
import { messages } from '@/messages'
import { ConnectionBadge } from '@/ui/badges'
import { Page, PageCount, PageHead } from '@/ui/page'
import { ShortcutsHelp, useShortcuts } from '@/ui/shortcuts'
import './pa.css'

export function Pa() {
  return (
    <RoleGate allow={['pa', 'admin']}>
      <Desk />
    </RoleGate>
  )
}

function Desk() {
  const user = useUser()
  const { connected } = useLive()
  const { publishedWait } = useOffice()
  const desk = useRef<HTMLDivElement>(null)
  const dashboard = useQuery(dashboardQuery)
  const pending = useQuery(pendingQuery)
  const consultants = useQuery(consultantsQuery)

  useShortcuts({
    F2: () => desk.current?.querySelector<HTMLElement>('[data-visit] [role="combobox"]')?.focus(),
  })

  return (
    <Page>
      <PageHead
        title={messages.pa.title}
        badges={
          <>
            <ConnectionBadge connected={connected} />
            <SendNotification />
            <ShortcutsHelp lines={messages.pa.shortcuts} />
          </>
        }
        aside={<PageCount value={pending.data?.length} unit={messages.pa.pending} />}
      />
      <Totals dashboard={dashboard.data} last="wait" />
      <div className="pa-desk" ref={desk}>
        <PendingList
          visits={pending.data}
          failed={pending.isError}
          onRetry={() => void pending.refetch()}
          consultants={choicesOf(consultants.data ?? [])}
          publishedWait={publishedWait}
          paId={user.id}
        />
        <ConsultantsList
          consultants={consultants.data}
          failed={consultants.isError}
          onRetry={() => void consultants.refetch()}
        />
      </div>
    </Page>
  )
}

const choicesOf = (consultants: readonly Consultant[]) =>
  consultants
    .filter(({ isActive }) => isActive)
    .map((consultant) => ({ ...consultant, available: isAvailable(consultant) }))
