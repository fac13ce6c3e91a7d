import type { AuditRecord } from '@/api/types'
import { messages } from '@/admin-messages'
import { Icon } from '@/ui/icon'
import { useOfficeTime } from '@/ui/office-time'
import { changesOf, type Change } from './changes'

const text = messages.auditRecords.trail

type Props = {
  record: AuditRecord
  names: ReadonlyMap<string, string>
  sentence: string | null
}

/** A record in one line. It opens to the record's fields, old and new side by side, and the stored JSON. */
export function RecordDetails({ record, names, sentence }: Props) {
  const time = useOfficeTime()
  const timestamp = (at: string) => `${time.timeWithSeconds(at)}, ${time.day(at)}`
  const { oldValues, newValues } = record
  const line = sentence ? (
    <span className="one-line" title={sentence}>
      {sentence}
    </span>
  ) : null
  if (!oldValues && !newValues) return line
  return (
    <details className="trail-details">
      <summary>
        {line}{' '}
        <span className="trail-open">
          {text.changes} <Icon name="down" size={14} />
        </span>
      </summary>
      <dl className={oldValues ? 'trail-changes trail-changes-both' : 'trail-changes'}>
        {changesOf(record, { names, timestamp }).map((change) => (
          <Line key={change.field} change={change} both={oldValues !== null} />
        ))}
      </dl>
      {newValues ? <code>{JSON.stringify(newValues)}</code> : null}
      {oldValues ? (
        <p>
          {text.rawBefore} <code>{JSON.stringify(oldValues)}</code>
        </p>
      ) : null}
    </details>
  )
}

function Line({ change: { field, before, after }, both }: { change: Change; both: boolean }) {
  return (
    <div>
      <dt>{field}</dt>
      {both ? (
        <dd className="trail-before">
          <span className="visually-hidden">{text.before} </span>
          {before}
        </dd>
      ) : null}
      <dd>
        {both ? <span className="visually-hidden">{text.after} </span> : null}
        {after}
      </dd>
    </div>
  )
}
