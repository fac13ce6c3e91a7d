import { useQuery } from '@tanstack/react-query'
import { AuditTrail } from '@/features/audit/trail'
import { useUser } from '@/features/auth/gate'
import { staffOf } from '@/features/directory/models'
import { accountsQuery, consultantsQuery, servicesQuery } from '@/features/directory/queries'
import { ServicesTable } from '@/features/directory/services-table'
import { StaffTable } from '@/features/directory/staff-table'
import { todayQuery } from '@/features/visits/queries'
import { messages } from '@/messages'
import { figuresPage } from './figures-address'
import { Loaded } from './loaded'

export function ServicesTab() {
  const services = useQuery(servicesQuery)
  return (
    <Loaded
      query={services}
      failure={messages.directory.servicesFailed}
      title={messages.directory.services.title}
    >
      {(list) => <ServicesTable services={list} pageOf={(id) => figuresPage('service', id)} />}
    </Loaded>
  )
}

export function StaffTab() {
  const { id } = useUser()
  const consultants = useQuery(consultantsQuery)
  const accounts = useQuery(accountsQuery)
  return (
    <Loaded query={accounts} failure={messages.visits.loadFailed} title={messages.directory.staff.title}>
      {(list) => (
        <StaffTable
          staff={list && staffOf(list, consultants.data ?? [])}
          ownId={id}
          pageOf={(of) => figuresPage('consultant', of)}
        />
      )}
    </Loaded>
  )
}

export function AuditTab() {
  const accounts = useQuery(accountsQuery)
  const services = useQuery(servicesQuery)
  const today = useQuery(todayQuery())
  const names = new Map([
    ...[...(accounts.data ?? []), ...(services.data ?? [])].map(({ id, name }) => [id, name] as const),
    ...(today.data ?? []).map(({ id, token }) => [id, token] as const),
  ])
  return <AuditTrail names={names} />
}
