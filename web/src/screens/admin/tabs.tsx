import { useQuery } from '@tanstack/react-query'
import { AuditTrail } from '@/features/audit/trail'
import { accountsQuery, servicesQuery } from '@/features/directory/queries'
import { ServicesTable } from '@/features/directory/services-table'
import { useOffice } from '@/features/office/use-office'
import { todayQuery } from '@/features/visits/data/queries'
import { messages } from '@/staff-messages'
import { figuresPage } from './figures-address'
import { Loaded } from './loaded'

export function ServicesTab() {
  const office = useOffice()
  const services = useQuery(servicesQuery)
  return (
    <Loaded
      query={services}
      failure={messages.directory.servicesFailed}
      title={messages.directory.services.title}
    >
      {(list) => (
        <ServicesTable
          services={list}
          pageOf={(id) => figuresPage('service', id)}
          languages={office.languages ?? []}
          office={office}
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
