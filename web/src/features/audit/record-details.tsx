import type { AuditRecord } from '@/api/types'
import { messages } from '@/staff-messages'
import { useOfficeTime } from '@/ui/office-time'
import { changesOf, type Change } from './changes'

const text = messages.audit.trail

type Props = { record: AuditRecord; names: ReadonlyMap<string, string> }

/** The changes of a record, old and new side by side; the stored JSON is in a disclosure. */
export function RecordDetails({ record, names }: Props) {
  const time = useOfficeTime()
  const timestamp = (at: string) => `${time.timeWithSeconds(at)}, ${time.day(at)}`
  const { oldValues, newValues } = record
  if (!oldValues && !newValues) return null
  return (
    <div className="trail-details">
      <dl className={oldValues ? 'trail-changes trail-changes-both' : 'trail-changes'}>
        {changesOf(record, { names, timestamp }).map((change) => (
          <Line key={change.field} change={change} both={oldValues !== null} />
        ))}
      </dl>
      <details>
        <summary>{text.raw}</summary>
        {newValues ? <code>{JSON.stringify(newValues)}</code> : null}
        {oldValues ? (
          <p>
            {text.rawBefore} <code>{JSON.stringify(oldValues)}</code>
          </p>
        ) : null}
      </details>
    </div>
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
