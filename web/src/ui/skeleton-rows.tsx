import { Fragment, type ReactNode } from 'react'
import './skeleton-rows.css'

type Props = {
  label: string
  rows?: number
  /** The skeleton of a row; two lines and a tag by default. */
  children?: ReactNode
}

/** A list's skeleton before the first response; CSS delays it, so that a fast response shows none. */
export function SkeletonRows({ label, rows = 4, children = <PlainRow /> }: Props) {
  return (
    <div className="skeleton" role="status">
      <span className="visually-hidden">{label}</span>
      <div aria-hidden="true">
        {Array.from({ length: rows }, (_, row) => (
          <Fragment key={row}>{children}</Fragment>
        ))}
      </div>
    </div>
  )
}

function PlainRow() {
  return (
    <div className="skeleton-row">
      <BlankLines />
      <Blank like="tag" />
    </div>
  )
}

/** A placeholder block. */
export function Blank({ like }: { like: 'line' | 'short' | 'figure' | 'tag' | 'token' | 'control' }) {
  return <i className={`blank blank-${like}`} />
}

/** The placeholder of a name and the line below it. */
export function BlankLines({ lines = 2 }: { lines?: number }) {
  return (
    <span className="blank-lines">
      {Array.from({ length: lines }, (_, line) => (
        <Blank key={line} like={line === 0 ? 'line' : 'short'} />
      ))}
    </span>
  )
}
