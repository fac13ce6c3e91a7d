import type { ComponentProps, ReactNode } from 'react'
import { messages } from '@/staff-messages'
import { ScrollRegion } from './panel'
import { Blank, BlankLines, SkeletonRows } from './skeleton-rows'
import { Token } from './token'
import './ledger-list.css'

type ListProps = {
  label: string
  /** The title of the column of tokens, or the buttons that choose the order. */
  lead: ReactNode
  /** Titles of the columns right of the token, hidden from screen readers: the cells have names of their own. */
  heads: readonly ReactNode[]
  list?: ComponentProps<'ul'>
  children: ReactNode
}

/** A list that is drawn like an account book: the tokens left of a double line, ruled rows right of it. */
export function LedgerList({ label, lead, heads, list, children }: ListProps) {
  return (
    <ScrollRegion label={label}>
      <div className="ledger">
        <Head lead={lead} heads={heads} />
        <ul {...list}>{children}</ul>
      </div>
    </ScrollRegion>
  )
}

function Head({ lead, heads }: Pick<ListProps, 'lead' | 'heads'>) {
  return (
    <div className="ledger-row ledger-head">
      <span className="ledger-token">{lead}</span>
      {heads}
    </div>
  )
}

export function LedgerSkeleton({ label, heads }: Pick<ListProps, 'label' | 'heads'>) {
  return (
    <div className="ledger ledger-blank">
      <Head lead={<span aria-hidden="true">{messages.visits.token}</span>} heads={heads} />
      <SkeletonRows label={label} rows={10}>
        <div className="ledger-row">
          <span className="ledger-token">
            <Blank like="token" />
          </span>
          <BlankLines />
          <span className="ledger-service">
            <Blank like="line" />
          </span>
          <span className="ledger-consultant ledger-none">
            <Blank like="line" />
          </span>
          <span className="ledger-figure">
            <Blank like="figure" />
          </span>
          <span className="ledger-end">
            <Blank like="tag" />
          </span>
        </div>
      </SkeletonRows>
    </div>
  )
}

type RowProps = ComponentProps<'li'> & {
  /** The place in line, before the token. */
  place?: string | number | undefined
  token: string
  also?: string | undefined
  /** Whether the row was just added. */
  fresh?: boolean
  /** What a press of the token does, and its label. */
  press?: { label: string; act: () => void } | undefined
  /** Whether the visit has a final status. */
  done?: boolean
}

export function LedgerRow({
  place,
  token,
  also,
  press,
  fresh = false,
  done = false,
  children,
  ...row
}: RowProps) {
  const classes = ['ledger-row small-lines', fresh && 'ledger-fresh', done && 'ledger-done']
    .filter(Boolean)
    .join(' ')
  return (
    <li {...row} className={classes}>
      <span className="ledger-token">
        <b className="ledger-place" aria-hidden="true">
          {place}
        </b>
        {press ? (
          <button
            type="button"
            className="ledger-press"
            title={press.label}
            aria-label={press.label}
            onClick={press.act}
          >
            <Token token={token} also={also} />
          </button>
        ) : (
          <Token token={token} also={also} />
        )}
      </span>
      {children}
    </li>
  )
}
