import { useQuery } from '@tanstack/react-query'
import { Input, Select, type InputRef } from 'antd'
import { memo, useDeferredValue, useState, type ReactNode, type Ref } from 'react'
import type { Visit } from '@/api/types'
import { fill, messages } from '@/messages'
import { Empty } from '@/ui/empty'
import { Filled } from '@/ui/filled'
import { Icon } from '@/ui/icon'
import { LedgerList, LedgerRow, LedgerSkeleton } from '@/ui/ledger-list'
import { LoadAgain } from '@/ui/load-again'
import { useOfficeTime } from '@/ui/office-time'
import { Panel } from '@/ui/panel'
import { PhoneNumber } from '@/ui/phone-number'
import { StageTag } from '@/ui/status-tag'
import { useWindow } from '@/ui/use-window'
import { ClassMark } from './class-mark'
import { heldWords } from './held-words'
import { accuracyLineQuery } from './queries'
import { matches, type QueueFilter } from './queue-filter'
import { Range, RangeRecord } from './range'
import { isOver, serviceName } from './visit'
import './queue-list.css'

type Props = {
  visits: readonly Visit[] | undefined
  failed: boolean
  onRetry: () => void
  /** The visit whose ticket was just printed. */
  freshId?: string | undefined
  searchRef?: Ref<InputRef>
  /** Shows a visit's ticket again, for reprinting. */
  onShow: (visit: Visit) => void
  /** The actions of a visit. The function stays the same while the list does: rows are memoised. */
  menuOf: (visit: Visit) => ReactNode
}

const text = messages.visits.queue

/** Today's visitors, newest token first, filtered by the search. */
export function QueueList({ visits, failed, onRetry, freshId, searchRef, ...row }: Props) {
  const [filter, setFilter] = useState<QueueFilter>({ search: '', status: 'all' })
  // The input updates at once, the rows when the browser is idle.
  const applied = useDeferredValue(filter)
  const accuracy = useQuery(accuracyLineQuery)
  const shown = visits?.filter((visit) => matches(visit, applied))
  const narrowed = visits && shown && shown.length < visits.length
  // Loaded before the rows, which would otherwise shift.
  const tools = visits === undefined ? !failed : visits.length > 0
  return (
    <Panel title={text.title} count={visits?.length}>
      {tools ? (
        <div className="queue-tools">
          <QueueTools filter={filter} onChange={setFilter} searchRef={searchRef} />
          <span className="queue-found" role="status">
            {narrowed ? fill(text.found, { shown: shown.length, total: visits.length }) : null}
          </span>
        </div>
      ) : null}
      {visits && shown ? (
        <Rows
          key={`${applied.search}|${applied.status}`}
          visits={shown}
          empty={visits.length === 0 ? text.empty : text.noneFound}
          freshId={freshId}
          {...row}
        />
      ) : (
        <Waiting failed={failed} onRetry={onRetry} />
      )}
      <RangeRecord accuracy={accuracy.data} />
    </Panel>
  )
}

type ToolsProps = {
  filter: QueueFilter
  onChange: (filter: QueueFilter) => void
  searchRef: Ref<InputRef> | undefined
}

/** Enter in the search leads to the first visitor that was found. */
function focusFirstMenu() {
  document.querySelector<HTMLElement>('.ledger .row-menu')?.focus()
}

const statuses = (['all', 'new', 'approved', 'in-session', 'completed', 'denied'] as const).map((value) => ({
  value,
  label: text.statuses[value],
}))

function QueueTools({ filter, onChange, searchRef }: ToolsProps) {
  return (
    <>
      <Input
        ref={searchRef ?? null}
        className="queue-search"
        type="search"
        allowClear
        prefix={<Icon name="search" size={18} />}
        placeholder={text.search}
        aria-label={text.search}
        aria-keyshortcuts="F8"
        value={filter.search}
        onChange={(event) => onChange({ ...filter, search: event.target.value })}
        onPressEnter={focusFirstMenu}
      />
      <Select
        className="queue-status"
        aria-label={text.statusFilter}
        options={statuses}
        value={filter.status}
        onChange={(status) => onChange({ ...filter, status })}
      />
    </>
  )
}

function Waiting({ failed, onRetry }: { failed: boolean; onRetry: () => void }) {
  return failed ? (
    <LoadAgain text={messages.visits.loadFailed} onRetry={onRetry} />
  ) : (
    <LedgerSkeleton label={messages.visits.loading} heads={heads} />
  )
}

type RowsProps = {
  visits: readonly Visit[]
  empty: string
  freshId: string | undefined
} & RowActions

type RowActions = Pick<Props, 'onShow' | 'menuOf'>

function Rows({ visits, empty, freshId, ...row }: RowsProps) {
  const newestFirst = visits.toReversed()
  const { list, drawn, measure } = useWindow(visits.length, (index) => newestFirst[index]?.id ?? '')
  if (visits.length === 0) return <Empty text={empty} />
  return (
    <LedgerList label={text.title} heads={heads} list={list}>
      {drawn.map((index) => {
        const visit = newestFirst[index]
        return visit ? (
          <QueueRow
            key={visit.id}
            visit={visit}
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
  <span key="name">{text.name}</span>,
  <span key="service">{text.service}</span>,
  <span key="consultant" className="ledger-consultant">
    {text.consultant}
  </span>,
  <span key="wait" className="ledger-figure">
    {text.wait}
  </span>,
  <span key="status" className="ledger-end">
    {text.status}
  </span>,
  <span key="menu" className="ledger-menu" />,
]

type QueueRowProps = {
  visit: Visit
  fresh: boolean
  /** Its position in the full list, of which only the rows in view are drawn. */
  index: number
  total: number
  measure: (row: HTMLElement | null) => void
} & RowActions

const QueueRow = memo(function QueueRow({
  visit,
  fresh,
  index,
  total,
  measure,
  onShow,
  menuOf,
}: QueueRowProps) {
  const time = useOfficeTime()
  const { stage, counter, class: of, correctedAt } = visit.queue
  const held = heldWords(visit, time.time)
  const { assignedConsultant: consultant } = visit
  const wait: number | null | undefined = visit.waitTime
  return (
    <LedgerRow
      token={visit.token}
      press={{ label: fill(text.showAgain, { token: visit.token }), act: () => onShow(visit) }}
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
          <PhoneNumber phone={visit.phone} />
        </small>
        {correctedAt ? <small>{messages.life.correct.mark}</small> : null}
      </span>
      <span className="ledger-service">
        {serviceName(visit)} <ClassMark of={of} />
        {stage === 'denied' && visit.paNotes ? <small>{visit.paNotes}</small> : null}
        {held ? <small>{held}</small> : null}
        <Range of={visit.queue} />
      </span>
      <span className={consultant ? 'ledger-consultant' : 'ledger-consultant ledger-none'}>
        {consultant ?? messages.records.nothing}
      </span>
      <span className="ledger-figure">
        {typeof wait === 'number' ? (
          <Filled message={messages.visits.minutes} values={{ minutes: <b>{wait}</b> }} />
        ) : null}
      </span>
      {/* Another stage is another tag: one that grows would move. */}
      <span className="ledger-end" key={stage}>
        <StageTag status={visit.status} stage={stage} counter={counter} />
      </span>
      <span className="ledger-menu">{menuOf(visit)}</span>
    </LedgerRow>
  )
})
