import { grouped } from '@/messages'
import './stats.css'

type Stat = { label: string; value: number | string | undefined; unit?: string; note?: string | undefined }

/** The totals of a dashboard as one strip; under each figure the accountant's double rule. */
export function Stats({ items }: { items: readonly Stat[] }) {
  return (
    <dl className="stats">
      {items.map(({ label, value, unit, note }) => (
        <div className="stat" key={label}>
          <dt>{label}</dt>
          <dd>
            <span className="stat-value">{grouped(value) ?? <span className="stat-waiting">-</span>}</span>
            {unit ? <span className="stat-unit">{unit}</span> : null}
            {note ? <span className="stat-note">{note}</span> : null}
          </dd>
        </div>
      ))}
    </dl>
  )
}
