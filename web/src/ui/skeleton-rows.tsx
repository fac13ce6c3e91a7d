import './skeleton-rows.css'

type Props = {
  label: string
  rows?: number
  /** The rows will have the margin of a ledger. */
  ledger?: boolean
}

/** What a list looks like before its first answer; it appears only when the answer takes longer than a blink. */
export function SkeletonRows({ label, rows = 4, ledger = false }: Props) {
  return (
    <div className={ledger ? 'skeleton skeleton-ledger' : 'skeleton'} role="status">
      <span className="visually-hidden">{label}</span>
      {Array.from({ length: rows }, (_, row) => (
        <div className="skeleton-row" key={row} aria-hidden="true">
          <i className="skeleton-token" />
          <span className="skeleton-lines">
            <i />
            <i />
          </span>
          <i className="skeleton-pill" />
        </div>
      ))}
    </div>
  )
}
