import { Fragment, type ReactNode } from 'react'
import './skeleton-rows.css'

type Props = {
  label: string
  rows?: number
  /** A row as it will be, with blanks in the places of its words; two lines and a tag when it is left out. */
  children?: ReactNode
}

/** What a list looks like before its first answer; it appears only when the answer takes longer than a blink. */
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

/** The place of something that is not there yet. */
export function Blank({ like }: { like: 'line' | 'short' | 'figure' | 'tag' | 'token' | 'control' }) {
  return <i className={`blank blank-${like}`} />
}

/** The place of a name and of what stands under it. */
export function BlankLines({ lines = 2 }: { lines?: number }) {
  return (
    <span className="blank-lines">
      {Array.from({ length: lines }, (_, line) => (
        <Blank key={line} like={line === 0 ? 'line' : 'short'} />
      ))}
    </span>
  )
}
