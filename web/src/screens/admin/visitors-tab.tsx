import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Visit } from '@/api/types'
import { VisitHistory } from '@/features/audit/visit-history'
import { todayQuery } from '@/features/visits/data/queries'
import { filterVisits, type VisitorFilters } from '@/features/visits/lists/visitor-filters'
import { VisitorsFilterBar } from '@/features/visits/lists/visitors-filter-bar'
import { VisitorsTable } from '@/features/visits/lists/visitors-table'
import { messages } from '@/staff-messages'
import { Panel } from '@/ui/panel'
import { Loaded } from './loaded'

const text = messages.visits.table

/** Today's visitors with filters; a click opens a visit's history. */
export function VisitorsTab() {
  const today = useQuery(todayQuery())
  const { filters, change, opened, open } = useVisitorsAddress()
  const shown = useDeferredValue(filters)
  const visits = today.data ?? []
  const found = filterVisits(visits, shown)
  const visit = visits.find(({ id }) => id === opened)
  return (
    <Panel title={text.title} count={today.data ? found.length : undefined}>
      <VisitorsFilterBar visits={visits} filters={filters} onChange={change} />
      <Loaded query={today} failure={messages.visits.loadFailed}>
        {(all) => (
          <VisitorsTable
            // A new search scrolls to the top.
            key={JSON.stringify(shown)}
            visits={all && found}
            empty={all?.length === 0 ? messages.visits.queue.empty : text.noneFound}
            onOpen={({ id }) => open(id)}
          />
        )}
      </Loaded>
      {visit ? <VisitHistory visit={visit} onClose={() => open(null)} /> : null}
    </Panel>
  )
}

/** Filters and the open visit are in the address. The search text is not: it may be a name or a phone number. */
function useVisitorsAddress() {
  const [search, setSearch] = useSearchParams()
  const [typed, setTyped] = useState('')
  const filters: VisitorFilters = {
    search: typed,
    status: (search.get('status') as Visit['status'] | null) ?? undefined,
    service: search.get('service') ?? undefined,
    consultant: search.get('consultant') ?? undefined,
  }
  const write = (changes: Record<string, string | null | undefined>, replace: boolean) => {
    const next = new URLSearchParams(search)
    for (const [name, value] of Object.entries(changes)) {
      if (value) next.set(name, value)
      else next.delete(name)
    }
    if (next.toString() !== search.toString()) setSearch(next, { replace })
  }
  return {
    filters,
    change: ({ search: text, status, service, consultant }: VisitorFilters) => {
      setTyped(text)
      write({ status, service, consultant }, true)
    },
    opened: search.get('visit'),
    open: (visit: string | null) => write({ visit }, visit === null),
  }
}
