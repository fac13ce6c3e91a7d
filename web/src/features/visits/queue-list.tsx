import type { Visit } from '@/api/types'
import { messages } from '@/messages'
import { Empty } from '@/ui/empty'
import { LedgerList, LedgerRow } from '@/ui/ledger-list'
import { Panel } from '@/ui/panel'
import { PhoneNumber } from '@/ui/phone-number'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { StatusTag } from '@/ui/status-tag'
import { LoadAgain } from '@/ui/load-again'
import { isOver, serviceName } from './visit'

type Props = {
  visits: readonly Visit[] | undefined
  failed: boolean
  onRetry: () => void
  /** The visit whose ticket was just printed. */
  freshId?: string | undefined
}

const text = messages.visits.queue

/** Today's visitors, newest token first. */
export function QueueList({ visits, failed, onRetry, freshId }: Props) {
  return (
    <Panel title={text.title} count={visits?.length}>
      {visits ? <Rows visits={visits} freshId={freshId} /> : <Waiting failed={failed} onRetry={onRetry} />}
    </Panel>
  )
}

function Waiting({ failed, onRetry }: { failed: boolean; onRetry: () => void }) {
  return failed ? (
    <LoadAgain text={messages.visits.loadFailed} onRetry={onRetry} />
  ) : (
    <SkeletonRows label={messages.visits.loading} rows={6} />
  )
}

function Rows({ visits, freshId }: { visits: readonly Visit[]; freshId: string | undefined }) {
  if (visits.length === 0) return <Empty text={text.empty} />
  return (
    <LedgerList label={text.title} heads={heads}>
      {visits.toReversed().map((visit) => (
        <QueueRow key={visit.id} visit={visit} fresh={visit.id === freshId} />
      ))}
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
]

function QueueRow({ visit, fresh }: { visit: Visit; fresh: boolean }) {
  const { assignedConsultant: consultant } = visit
  const wait: number | null | undefined = visit.waitTime
  return (
    <LedgerRow token={visit.token} fresh={fresh} done={isOver(visit)}>
      <span>
        <b>{visit.name}</b>
        <small>
          <PhoneNumber phone={visit.phone} />
        </small>
      </span>
      <span className="ledger-service">{serviceName(visit)}</span>
      <span className={consultant ? 'ledger-consultant' : 'ledger-consultant ledger-none'}>{consultant}</span>
      <span className="ledger-figure">
        {typeof wait === 'number' ? (
          <>
            <b>{wait}</b> {messages.visits.minutesWord}
          </>
        ) : null}
      </span>
      <span className="ledger-end">
        <StatusTag status={visit.status} />
      </span>
    </LedgerRow>
  )
}
