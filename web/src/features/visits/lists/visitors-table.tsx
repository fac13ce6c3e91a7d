import type { Visit } from '@/api/types'
import { arrivalOf } from '@/features/visits/data/order'
import { VisitService } from '@/features/visits/parts/visit-service'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { useOfficeTime } from '@/ui/office-time'
import { Records, type Column } from '@/ui/records'
import { StageTag } from '@/ui/stage-tag'
import { Token } from '@/ui/token'

const text = messages.visits.table

type Props = {
  /** Undefined while they load. */
  visits: readonly Visit[] | undefined
  empty: string
  onOpen: (visit: Visit) => void
}

/** Today's visitors for an admin, latest first; a row opens the visit's history. */
export function VisitorsTable({ visits, empty, onOpen }: Props) {
  const time = useOfficeTime()
  const columns: Column<Visit>[] = [
    {
      key: 'token',
      title: text.token,
      width: 112,
      entry: 'end',
      render: ({ token, tokenAlso }) => <Token small token={token} also={tokenAlso} />,
    },
    {
      key: 'name',
      title: text.name,
      entry: 'lead',
      render: ({ name, token }) => (
        <button type="button" className="record-link" aria-label={fill(text.historyOf, { token, name })}>
          {name}
        </button>
      ),
    },
    { key: 'service', title: text.service, entry: 'line', render: (visit) => <VisitService of={visit} /> },
    {
      key: 'status',
      title: text.status,
      width: 160,
      entry: 'line',
      render: ({ status, queue }) => <StageTag status={status} queue={queue} />,
    },
    { key: 'consultant', title: text.consultant, entry: 'line', render: (visit) => visit.assignedConsultant },
    {
      key: 'time',
      title: text.time,
      width: 120,
      entry: 'titled',
      render: (visit) => time.time(arrivalOf(visit)),
    },
  ]
  return (
    <Records
      label={text.title}
      columns={columns}
      rows={visits?.toReversed() ?? []}
      rowKey={({ id }) => id}
      empty={empty}
      loading={visits ? undefined : messages.visits.loading}
      onOpen={onOpen}
    />
  )
}
