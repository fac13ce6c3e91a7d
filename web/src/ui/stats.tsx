import type { ReactNode } from 'react'
import { grouped } from '@/messages'
import './stats.css'

type Stat = {
  label: string
  value: number | string | undefined
  unit?: string
  note?: string | undefined
  /** The measured figure that is drawn before the stated `value`. */
  measured?: ReactNode
}

/**
 * Figures in one strip, each with a double rule below it. The totals of a dashboard have label and figure in one line.
 */
export function Stats({ items, inLine = false }: { items: readonly Stat[]; inLine?: boolean }) {
  return (
    <dl className={inLine ? 'stats stats-line' : 'stats'}>
      {items.map(({ label, value, unit, note, measured }) => (
        <div className="stat" key={label}>
          <dt>{label}</dt>
          <dd className={measured ? 'stat-both' : ''}>
            <Figure value={value} />
            {unit ? <span className="stat-unit">{unit}</span> : null}
            {note ? <span className="stat-note">{note}</span> : null}
            {measured ? <span className="stat-measured">{measured}</span> : null}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** A figure, or a placeholder while it is not known. */
export function Figure({ value }: Pick<Stat, 'value'>) {
  return <span className="stat-value">{grouped(value) ?? <span className="stat-waiting">-</span>}</span>
}
