import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { AuditTrail } from '@/features/audit/trail'
import { staffOf } from '@/features/directory/models'
import { accountsQuery, consultantsQuery, servicesQuery } from '@/features/directory/queries'
import { ServicesTable } from '@/features/directory/services-table'
import { StaffTable } from '@/features/directory/staff-table'
import { todayQuery } from '@/features/visits/queries'
import { VisitorsTable } from '@/features/visits/visitors-table'
import { messages } from '@/messages'
import { LoadAgain } from '@/ui/load-again'
import { Panel } from '@/ui/panel'
import { SkeletonRows } from '@/ui/skeleton-rows'

export function VisitorsTab() {
  const today = useQuery(todayQuery())
  return (
    <Panel title={messages.visits.table.title} count={today.data?.length}>
      <Loaded query={today} failure={messages.visits.loadFailed}>
        {(visits) => <VisitorsTable visits={visits} />}
      </Loaded>
    </Panel>
  )
}

export function ServicesTab() {
  const services = useQuery(servicesQuery)
  return (
    <Loaded query={services} failure={messages.directory.servicesFailed}>
      {(list) => <ServicesTable services={list} />}
    </Loaded>
  )
}

export function StaffTab() {
  const consultants = useQuery(consultantsQuery)
  const accounts = useQuery(accountsQuery)
  return (
    <Loaded query={accounts} failure={messages.visits.loadFailed}>
      {(list) => <StaffTable staff={staffOf(list, consultants.data ?? [])} />}
    </Loaded>
  )
}

export function AuditTab() {
  return <AuditTrail />
}

type LoadedProps<T> = { query: UseQueryResult<T>; failure: string; children: (data: T) => ReactNode }

/** The data of a query, or where it is on its way. */
function Loaded<T>({ query, failure, children }: LoadedProps<T>) {
  if (query.data !== undefined) return children(query.data)
  if (query.isError) return <LoadAgain text={failure} onRetry={() => void query.refetch()} />
  return <SkeletonRows label={messages.visits.loading} />
}
