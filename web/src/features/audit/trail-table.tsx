import type { ReactNode } from 'react'
import { messages as adminMessages } from '@/admin-messages'
import type { AuditEntity, AuditRecord } from '@/api/types'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { useOfficeTime } from '@/ui/office-time'
import { Records, type Column } from '@/ui/records'
import { RecordDetails } from './record-details'
import { sentenceOf } from './sentence'
import { entities } from './trail-address'

const text = adminMessages.auditRecords.trail

type Props = {
  records: readonly AuditRecord[]
  names: ReadonlyMap<string, string>
  /** Shown instead of the records when they could not be loaded. */
  missing: ReactNode
  loading: boolean
  /** Called to filter the trail by the entity of a record. */
  onOnly: (entity: AuditEntity, entityId: string) => void
}

/** The audit records, newest first; known ids are shown as names. */
export function TrailTable({ records, names, missing, loading, onOnly }: Props) {
  const time = useOfficeTime()
  const columns: Column<AuditRecord>[] = [
    {
      key: 'time',
      title: text.time,
      width: 220,
      entry: 'end',
      render: ({ createdAt }) => (
        <OneLine text={`${time.day(createdAt)} ${time.timeWithSeconds(createdAt)}`} />
      ),
    },
    {
      key: 'entity',
      title: text.entityColumn,
      width: 240,
      entry: 'line',
      render: (record) => <Entity record={record} name={nameOf(record, names)} onOnly={onOnly} />,
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
      render: ({ user }) => <OneLine text={userOf(user)} />,
    },
    {
      key: 'details',
      title: text.details,
      entry: 'line',
      render: (record) => (
        <RecordDetails record={record} names={names} sentence={sentenceOf(record, names)} />
      ),
    },
  ]
  return (
    <Records
      fixedHeight
      fixedColumns
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

const OneLine = ({ text }: { text: string }) => (
  <span className="one-line" title={text}>
    {text}
  </span>
)

const userOf = ({ name, role }: AuditRecord['user']) =>
  role ? `${name}, ${adminMessages.trailRoles[role]}` : name || text.system

/** The name for the id of a record: the visit's token if the record is about a visit. */
const nameOf = ({ visit, entityId }: AuditRecord, names: Props['names']) =>
  visit?.token ?? names.get(entityId)

type EntityProps = Pick<Props, 'onOnly'> & { record: AuditRecord; name: string | undefined }

/**
 * The entity of a record and its id. The id is a button that filters the trail, if the entity is in `entities`.
 * The screen cuts the id off, but the DOM has all of it.
 */
function Entity({ record: { entity, entityId }, name, onOnly }: EntityProps) {
  const filter = entities.find((one) => one === entity)
  const id = (
    <span className="one-line trail-id" title={entityId}>
      {entityId}
    </span>
  )
  return (
    <span className="trail-entity">
      <b>{adminMessages.trailWords.entities[entity]}</b>{' '}
      {filter ? (
        <button
          type="button"
          className="record-link"
          aria-label={fill(text.onlyOf, { id: entityId })}
          onClick={() => onOnly(filter, entityId)}
        >
          {id}
        </button>
      ) : (
        id
      )}{' '}
      {name ? <span>{name}</span> : null}
    </span>
  )
}
