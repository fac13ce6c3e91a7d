import type { ComponentProps, ReactNode } from 'react'
import { messages } from '@/messages'
import { ScrollRegion } from './panel'
import { Token } from './token'
import './ledger-list.css'

type ListProps = {
  label: string
  /** Titles of the columns right of the token; the cells carry the same names for those who cannot see the columns. */
  heads: readonly ReactNode[]
  /** For the element that holds the rows. */
  list?: ComponentProps<'ul'>
  children: ReactNode
}

/** A page of the account book: tokens left of the double margin line, ruled rows right of it. */
export function LedgerList({ label, heads, list, children }: ListProps) {
  return (
    <ScrollRegion label={label}>
      <div className="ledger">
        <div className="ledger-row ledger-head" aria-hidden="true">
          <span>{messages.visits.token}</span>
          {heads}
        </div>
        <ul {...list}>{children}</ul>
      </div>
    </ScrollRegion>
  )
}

type RowProps = ComponentProps<'li'> & {
  token: string
  /** The row that was just written. */
  fresh?: boolean
  /** What the token does when somebody presses it, and how that is called. */
  press?: { label: string; act: () => void } | undefined
  /** Nothing more happens to it. */
  done?: boolean
}

export function LedgerRow({ token, press, fresh = false, done = false, children, ...row }: RowProps) {
  const classes = ['ledger-row', fresh && 'ledger-fresh', done && 'ledger-done'].filter(Boolean).join(' ')
  return (
    <li {...row} className={classes}>
      <span className="ledger-token">
        {press ? (
          <button
            type="button"
            className="ledger-press"
            title={press.label}
            aria-label={press.label}
            onClick={press.act}
          >
            <Token token={token} />
          </button>
        ) : (
          <Token token={token} />
        )}
      </span>
      {children}
    </li>
  )
}
