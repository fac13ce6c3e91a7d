import type { ReactNode } from 'react'
import { messages as adminMessages } from '@/admin-messages'
import type { AuditEntity, AuditRecord } from '@/api/types'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { useOfficeTime } from '@/ui/office-time'
import { Records, TwoLines, type Column } from '@/ui/records'
import { RecordDetails } from './record-details'
import { sentenceOf } from './sentence'
import { entities } from './trail-address'

const text = messages.audit.trail

type Props = {
  records: readonly AuditRecord[]
  names: ReadonlyMap<string, string>
  /** Shown instead of the records when they could not be loaded. */
  missing: ReactNode
  loading: boolean
  /** Filters by the entity of a record. */
  onOnly: (entity: AuditEntity, entityId: string) => void
}

/** The audit records, newest first; known ids are shown as names. */
export function TrailTable({ records, names, missing, loading, onOnly }: Props) {
  const time = useOfficeTime()
  const columns: Column<AuditRecord>[] = [
    {
      key: 'time',
      title: text.time,
      width: 160,
      entry: 'end',
      render: ({ createdAt }) => (
        <TwoLines first={time.timeWithSeconds(createdAt)} second={time.day(createdAt)} />
      ),
    },
    {
      key: 'entity',
      title: text.entityColumn,
      width: 190,
      entry: 'line',
      render: (record) => <Entity record={record} name={names.get(record.entityId)} onOnly={onOnly} />,
    },
    {
      key: 'action',
      title: text.action,
      width: 150,
      entry: 'lead',
      render: ({ action }) => <b>{adminMessages.trailActions[action]}</b>,
    },
    {
      key: 'user',
      title: text.user,
      width: 180,
      entry: 'line',
      render: ({ user }) => (
        <TwoLines
          first={user.name || text.system}
          second={user.role && adminMessages.trailRoles[user.role]}
        />
      ),
    },
    {
      key: 'details',
      title: text.details,
      entry: 'line',
      render: (record) => (
        <>
          <Sentence text={sentenceOf(record, names)} />
          <RecordDetails record={record} names={names} />
        </>
      ),
    },
  ]
  return (
    <Records
      fixedHeight
      label={text.table}
      columns={columns}
      rows={records}
      rowKey={({ id }) => id}
      empty={text.empty}
      missing={missing}
      loading={loading ? messages.visits.loading : undefined}
    />
  )
}

const Sentence = ({ text }: { text: string | null }) =>
  text ? <p className="trail-sentence">{text}</p> : null

type EntityProps = Pick<Props, 'onOnly'> & { record: AuditRecord; name: string | undefined }

/** The entity of a record; its id filters the trail if the entity is one of the filters. */
function Entity({ record: { entity, entityId }, name, onOnly }: EntityProps) {
  const filter = entities.find((one) => one === entity)
  const id = filter ? (
    <button
      type="button"
      className="record-link"
      aria-label={fill(text.onlyOf, { id: entityId })}
      onClick={() => onOnly(filter, entityId)}
    >
      {entityId}
    </button>
  ) : (
    entityId
  )
  return (
    <>
      <TwoLines first={adminMessages.trailWords.entities[entity]} second={id} />
      {name ? <small className="trail-name">{name}</small> : null}
    </>
  )
}
