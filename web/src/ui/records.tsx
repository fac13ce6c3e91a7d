import { Table } from 'antd'
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { grouped, messages } from '@/messages'
import { Empty } from './empty'
import { useTop } from './panel'
import { BlankLines } from './skeleton-rows'
import { useIsPhone } from './use-is-phone'
import './records.css'

export type Column<Row> = {
  key: string
  title: string
  /** The content of a cell. If it is null, the table shows a dash, and an entry omits it. */
  render: (row: Row) => ReactNode
  width?: number
  align?: 'right'
  /** The place in an entry on a phone: the first line, its right end, or a line without or with the title. */
  entry: 'lead' | 'end' | 'line' | 'titled'
}

type Props<Row> = {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  empty: string
  /** Shown instead of rows that could not be loaded. */
  missing?: ReactNode
  /** Announced while the rows load; a skeleton is shown. */
  loading?: string | undefined
  /** Whether the height is the same for any number of rows. */
  fixedHeight?: boolean
  /** Whether the columns have the same widths whatever the rows contain. */
  fixedColumns?: boolean
  /** The action of a click on a row. For keyboards, a control in the row does the same. */
  onOpen?: (row: Row) => void
}

/** Number of rows drawn at first, and added each time the end comes near the view. */
const rowsAtOnce = 60
const nearEnd = 600

/** The rows that have been scrolled to, in the region or in the page: drawing a thousand at once would be slow. */
function useScrolledTo<Row>(rows: readonly Row[]) {
  const region = useRef<HTMLDivElement>(null)
  const [shown, setShown] = useState(rowsAtOnce)
  const onScroll = useEffectEvent(() => {
    if (!region.current || shown >= rows.length) return
    const { top, bottom } = region.current.getBoundingClientRect()
    const end = top - region.current.scrollTop + region.current.scrollHeight
    if (end - Math.min(bottom, innerHeight) < nearEnd) setShown(shown + rowsAtOnce)
  })
  useEffect(() => {
    const scrolled = () => onScroll()
    // All rows are drawn before the page is printed.
    const showAll = () => flushSync(() => setShown(Number.POSITIVE_INFINITY))
    addEventListener('scroll', scrolled, { capture: true, passive: true })
    addEventListener('beforeprint', showAll)
    return () => {
      removeEventListener('scroll', scrolled, { capture: true })
      removeEventListener('beforeprint', showAll)
    }
  }, [])
  return { rows: rows.slice(0, shown), region }
}

/** Records as a table; on a phone as ruled entries. */
export function Records<Row extends object>(props: Props<Row>) {
  const phone = useIsPhone()
  const { loading } = props
  if (loading !== undefined) return <RecordsSkeleton {...props} label={loading} phone={phone} />
  return <Loaded {...props} phone={phone} />
}

function Loaded<Row extends object>({ phone, ...props }: Props<Row> & { phone: boolean }) {
  const { label, fixedHeight = false } = props
  const { rows, region } = useScrolledTo(props.rows)
  useTop(region)
  return (
    <div
      ref={region}
      className={fixedHeight ? 'records records-fixed' : 'records'}
      tabIndex={0}
      role="group"
      aria-label={label}
    >
      {phone && rows.length > 0 ? <Entries {...props} rows={rows} /> : null}
      {phone && rows.length === 0 ? nothingOf(props) : null}
      {phone ? null : <Grid {...props} rows={rows} />}
    </div>
  )
}

const nothingOf = <Row,>({ missing, empty }: Props<Row>) => missing ?? <Empty text={empty} />

function Grid<Row extends object>(props: Props<Row>) {
  const { columns, rows, rowKey, onOpen, fixedColumns = false } = props
  return (
    <Table<Row>
      {...(fixedColumns ? { tableLayout: 'fixed' } : {})}
      {...(onOpen ? { onRow: (row) => ({ onClick: () => onOpen(row), className: 'record-opens' }) } : {})}
      dataSource={[...rows]}
      rowKey={rowKey}
      pagination={false}
      locale={{ emptyText: nothingOf(props) }}
      columns={columns.map(({ key, title, render, width, align }) => ({
        key,
        title,
        render: (_value, row) => grouped(render(row)) ?? messages.records.nothing,
        ...(width ? { width } : {}),
        ...(align ? { align } : {}),
      }))}
    />
  )
}

function Entries<Row extends object>({ columns, rows, rowKey, onOpen }: Props<Row>) {
  return (
    <ul>
      {rows.map((row) => (
        <li
          className={onOpen ? 'entry record-opens' : 'entry'}
          key={rowKey(row)}
          {...(onOpen ? { onClick: () => onOpen(row) } : {})}
        >
          {columns.map((column) => (
            <EntryPart key={column.key} column={column} row={row} />
          ))}
        </li>
      ))}
    </ul>
  )
}

function EntryPart<Row>({ column: { title, render, entry }, row }: { column: Column<Row>; row: Row }) {
  const value = grouped(render(row))
  if (value === null || value === undefined) return null
  return (
    <div className={`entry-${entry}`}>
      {entry === 'titled' ? <span className="entry-title">{title}</span> : null}
      {value}
    </div>
  )
}

const blanks = Array.from({ length: 6 }, (_, index) => ({ index }))

/** The skeleton of the table, at its place and height. */
function RecordsSkeleton<Row extends object>({
  label,
  columns,
  fixedHeight = false,
  fixedColumns = false,
  phone,
}: Props<Row> & { phone: boolean }) {
  const blankColumns = columns.map((column) => ({ ...column, render: () => <BlankLines /> }))
  const props = {
    label,
    columns: blankColumns,
    rows: blanks,
    rowKey: ({ index }: { index: number }) => String(index),
    empty: '',
    fixedColumns,
  }
  return (
    <div className={fixedHeight ? 'records records-fixed records-blank' : 'records records-blank'}>
      <span className="visually-hidden" role="status">
        {label}
      </span>
      <div className="skeleton" aria-hidden="true">
        {phone ? <Entries {...props} /> : <Grid {...props} />}
      </div>
    </div>
  )
}

/** Two lines in a cell: the value, and smaller text below it. */
export function TwoLines({ first, second }: { first: ReactNode; second: ReactNode }) {
  return (
    <span className="two-lines small-texts">
      <b>{first}</b>
      <small>{second}</small>
    </span>
  )
}
