import { useQuery } from '@tanstack/react-query'
import { Totals } from '@/features/audit/totals'
import { dashboardQuery } from '@/features/audit/queries'
import { RoleGate, useUser } from '@/features/auth/gate'
import { ConsultantsList } from '@/features/directory/consultants-list'
import { isAvailable } from '@/features/directory/models'
import { consultantsQuery } from '@/features/directory/queries'
import { PendingList } from '@/features/visits/pending-list'
import { pendingQuery } from '@/features/visits/queries'
import { useLive } from '@/live/live'
import { messages } from '@/messages'
import { ConnectionBadge } from '@/ui/badges'
import { Page, PageCount, PageHead } from '@/ui/page'
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
  const dashboard = useQuery(dashboardQuery)
  const pending = useQuery(pendingQuery)
  const consultants = useQuery(consultantsQuery)

  return (
    <Page>
      <PageHead
        title={messages.pa.title}
        badges={<ConnectionBadge connected={connected} />}
        aside={<PageCount value={pending.data?.length} unit={messages.pa.pending} />}
      />
      <Totals dashboard={dashboard.data} last="wait" />
      <div className="pa-desk">
        <PendingList
          visits={pending.data}
          failed={pending.isError}
          onRetry={() => void pending.refetch()}
          consultants={consultants.data?.filter(isAvailable) ?? []}
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
