import { useQuery } from '@tanstack/react-query'
import { Input, type InputRef } from 'antd'
import { memo, useDeferredValue, useEffect, useEffectEvent, useMemo, type ReactNode, type Ref } from 'react'
import type { Stage, Visit } from '@/api/types'
import { heldWords } from '@/features/visits/data/held-words'
import { byLine } from '@/features/visits/data/order'
import { lineQuery } from '@/features/visits/data/queries'
import { tokenText } from '@/features/visits/data/token-word'
import { isOver } from '@/features/visits/data/visit'
import { VisitService } from '@/features/visits/parts/visit-service'
import { isUnsent, useOfflineMode } from '@/live/offline-mode'
import { counted, fill } from '@/messages'
import { messages } from '@/staff-messages'
import { Empty } from '@/ui/empty'
import { Filled } from '@/ui/filled'
import { Icon } from '@/ui/icon'
import { LedgerList, LedgerRow, LedgerSkeleton } from '@/ui/ledger-list'
import { LoadAgain } from '@/ui/load-again'
import { useOfficeTime } from '@/ui/office-time'
import { PhoneNumber } from '@/ui/phone-number'
import { StageTag } from '@/ui/stage-tag'
import { ClassMark } from '@/features/visits/parts/class-mark'
import { EarlierDay } from '@/features/visits/parts/earlier-day'
import { MissingMark } from '@/features/visits/parts/missing-papers'
import { Range, RangeRecord } from '@/features/visits/parts/range'
import { useWindow } from '@/ui/use-window'
import { isIn, matches, type QueueOrder, type QueueView } from './queue-filter'
import './queue-list.css'

type Props = {
  visits: readonly Visit[] | undefined
  view: QueueView
  search: string
  order: QueueOrder
  onOrder: (order: QueueOrder) => void
  /** The place in line of the visits that wait, by the visit's id. */
  places: ReadonlyMap<string, number>
  failed: boolean
  onRetry: () => void
  /** The visit whose ticket is shown. */
  freshId?: string | undefined
  /** Shows a visit's ticket again, for reprinting. */
  onShow: (visit: Visit) => void
  /** The actions of a visit. The function must seldom change, because rows are memoised. */
  menuOf: (visit: Visit) => ReactNode
}

const text = messages.visits.queue

/**
 * Today's visitors of one list in the order of the tokens. Waiting visitors are in the order of the line, unless the
 * user has chosen the order of the tokens. A search covers every list.
 */
export function QueueList({ visits, view, search, order, onOrder, failed, onRetry, ...row }: Props) {
  // The input updates at once, the rows when the browser is idle.
  const applied = useDeferredValue(search)
  const accuracy = useQuery({ ...lineQuery, select: (line) => line.accuracy })
  const { places } = row
  const inOrder = view === 'waiting' && !applied
  const shown = useMemo(() => {
    const found = (visits ?? []).filter((visit) => (applied ? matches(visit, applied) : isIn(view, visit)))
    return inOrder && order === 'line' ? found.toSorted(byLine(places)) : found
  }, [visits, view, applied, inOrder, order, places])
  if (!visits) return <Waiting failed={failed} onRetry={onRetry} />
  return (
    <>
      <p className="visually-hidden" role="status">
        {applied ? fill(text.found, { shown: shown.length, total: visits.length }) : null}
      </p>
      <Rows
        key={applied || view}
        visits={shown}
        lead={inOrder ? <Order order={order} onOrder={onOrder} /> : plainLead}
        empty={applied ? text.noneFound : emptyText(view, visits.length)}
        {...row}
      />
      <RangeRecord accuracy={accuracy.data} />
    </>
  )
}

const plainLead = <span aria-hidden="true">{messages.visits.token}</span>

const orders = [
  { key: 'line', label: messages.desk.number, title: messages.desk.byLine },
  { key: 'token', label: messages.visits.token, title: messages.desk.byToken },
] as const

/** The column heads that choose the order. The focus stays on them, and the list scrolls to its beginning. */
function Order({ order, onOrder }: Pick<Props, 'order' | 'onOrder'>) {
  const choose = (key: QueueOrder, head: HTMLElement) => {
    const region = head.closest('.scroll-region')
    if (region) region.scrollTop = 0
    onOrder(key)
  }
  return orders.map(({ key, label, title }) => (
    <button
      key={key}
      type="button"
      className="ledger-order"
      title={title}
      aria-pressed={order === key}
      onClick={({ currentTarget }) => choose(key, currentTarget)}
    >
      {label}
    </button>
  ))
}

const emptyText = (view: QueueView, total: number) =>
  view === 'all' || total === 0 ? text.empty : messages.desk.emptyViews[view]

type SearchProps = {
  value: string
  onChange: (search: string) => void
  searchRef: Ref<InputRef>
}

/** Focuses the menu of the first visitor that was found, after Enter in the search. */
function focusFirstMenu() {
  document.querySelector<HTMLElement>('.ledger .row-menu')?.focus()
}

const clear = (
  <>
    <Icon name="x" size={16} />
    <span className="visually-hidden">{messages.visits.form.forget}</span>
  </>
)

/** Searches today's visitors. */
export function QueueSearch({ value, onChange, searchRef }: SearchProps) {
  return (
    <Input
      ref={searchRef}
      className="queue-search"
      type="search"
      allowClear={{ clearIcon: clear }}
      prefix={<Icon name="search" size={18} />}
      placeholder={messages.visits.table.searchHint}
      aria-label={text.search}
      aria-keyshortcuts="F8"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onPressEnter={focusFirstMenu}
    />
  )
}

function Waiting({ failed, onRetry }: { failed: boolean; onRetry: () => void }) {
  return failed ? (
    <LoadAgain text={messages.visits.loadFailed} onRetry={onRetry} />
  ) : (
    <LedgerSkeleton label={messages.visits.loading} heads={heads} />
  )
}

type RowActions = Pick<Props, 'onShow' | 'menuOf'>

type RowsProps = {
  visits: readonly Visit[]
  lead: ReactNode
  empty: string
} & Pick<Props, 'places' | 'freshId'> &
  RowActions

function Rows({ visits, lead, places, empty, freshId, ...row }: RowsProps) {
  const { list, drawn, measure, scrollTo } = useWindow(visits.length, (index) => visits[index]?.id ?? '')
  const fresh = visits.findIndex(({ id }) => id === freshId)
  const isListed = fresh >= 0
  const scrollToFresh = useEffectEvent(() => scrollTo(fresh))
  // Runs once for each ticket, when its row has arrived.
  useEffect(() => {
    if (isListed) scrollToFresh()
  }, [freshId, isListed])
  if (visits.length === 0) return <Empty text={empty} />
  return (
    <LedgerList label={text.title} lead={lead} heads={heads} list={list}>
      {drawn.map((index) => {
        const visit = visits[index]
        return visit ? (
          <QueueRow
            key={visit.id}
            visit={visit}
            place={places.get(visit.id)}
            fresh={visit.id === freshId}
            index={index}
            total={visits.length}
            measure={measure}
            {...row}
          />
        ) : null
      })}
    </LedgerList>
  )
}

const heads = [
  <span key="name" aria-hidden="true">
    {text.name}
  </span>,
  <span key="service" aria-hidden="true">
    {text.service}
  </span>,
  <span key="consultant" className="ledger-consultant" aria-hidden="true">
    {text.consultant}
  </span>,
  <span key="wait" className="ledger-figure" aria-hidden="true">
    {text.wait}
  </span>,
  <span key="status" className="ledger-end" aria-hidden="true">
    {text.status}
  </span>,
  <span key="menu" className="ledger-menu" />,
]

/** Marks before the tokens of visitors who were called, and of those who need a decision. */
const marks: Partial<Record<Stage, string>> = { called: '!', new: '-' }

/** What a visitor waits for, shown beside the badge of the status. */
function waitOf(stage: Stage, place: number | undefined): ReactNode {
  if (stage === 'new') return <small>{messages.desk.waitingFor}</small>
  if (stage !== 'waiting') return null
  return <small>{place ? fill(messages.desk.waitingAt, { place }) : messages.desk.views.waiting}</small>
}

type QueueRowProps = {
  visit: Visit
  /** The place in line; undefined for a visit that does not wait there. */
  place: number | undefined
  fresh: boolean
  /** The row's position in the full list, of which only the rows in view are drawn. */
  index: number
  total: number
  measure: (row: HTMLElement | null) => void
} & RowActions

const QueueRow = memo(function QueueRow({
  visit,
  place,
  fresh,
  index,
  total,
  measure,
  onShow,
  menuOf,
}: QueueRowProps) {
  const time = useOfficeTime()
  const { unsent } = useOfflineMode()
  const { stage, class: of, correctedAt } = visit.queue
  const held = heldWords(visit, time.time)
  const { assignedConsultant: consultant } = visit
  const wait: number | null | undefined = visit.waitTime
  return (
    <LedgerRow
      place={place ?? marks[stage]}
      token={visit.token}
      also={visit.tokenAlso}
      press={{ label: fill(text.showAgain, { token: tokenText(visit) }), act: () => onShow(visit) }}
      fresh={fresh}
      done={isOver(visit)}
      ref={measure}
      data-index={index}
      data-visit={visit.id}
      aria-posinset={index + 1}
      aria-setsize={total}
    >
      <span>
        <b>{visit.name}</b>
        <small>
          <PhoneNumber phone={visit.phone} /> <MissingMark of={visit} />
        </small>
        <EarlierDay day={visit.day} />
        {isUnsent(visit.id) ? <small>{unsent}</small> : null}
        {correctedAt ? <small>{messages.life.correct.mark}</small> : null}
      </span>
      <span className="ledger-service">
        <VisitService of={visit} /> <ClassMark of={of} />
        {stage === 'denied' && visit.paNotes ? <small>{visit.paNotes}</small> : null}
        {held ? <small>{held}</small> : null}
        <Range of={visit.queue} brief />
      </span>
      <span className={consultant ? 'ledger-consultant' : 'ledger-consultant ledger-none'}>
        {consultant ?? messages.records.nothing}
      </span>
      <span className="ledger-figure">
        {typeof wait === 'number' ? (
          <span>
            <Filled message={messages.visits.minutes} values={{ minutes: <b>{counted(wait)}</b> }} />
          </span>
        ) : null}
      </span>
      {/* The key gives each stage a new tag: a tag that is reused would animate its change of width. */}
      <span className="ledger-end" key={stage}>
        <StageTag status={visit.status} queue={visit.queue} />
        {waitOf(stage, place)}
      </span>
      <span className="ledger-menu">{menuOf(visit)}</span>
    </LedgerRow>
  )
})
