import { Button } from 'antd'
import type { ReactNode } from 'react'
import type { Visit } from '@/api/types'
import { subjectOf, type ActionName, type Subject } from '@/features/visits/data/actions'
import { heldWords } from '@/features/visits/data/held-words'
import { ownReasonsOf } from '@/features/visits/data/reason-words'
import { stageOf } from '@/features/visits/data/stage'
import { EarlierDay } from '@/features/visits/parts/earlier-day'
import { MissingMark } from '@/features/visits/parts/missing-papers'
import { Range } from '@/features/visits/parts/range'
import { Unanswered } from '@/features/visits/parts/unanswered'
import { VisitService } from '@/features/visits/parts/visit-service'
import { fill, plural } from '@/messages'
import { messages } from '@/staff-messages'
import { Empty } from '@/ui/empty'
import { Icon } from '@/ui/icon'
import { LoadAgain } from '@/ui/load-again'
import { useOfficeTime } from '@/ui/office-time'
import { Panel, ScrollRegion } from '@/ui/panel'
import { Blank, BlankLines, SkeletonRows } from '@/ui/skeleton-rows'
import { StageTag } from '@/ui/stage-tag'
import { Token } from '@/ui/token'
import { isAssigned, subjectOfRow, type Row } from './my-line'
import type { Start } from './use-start'
import '@/features/visits/parts/my-lists.css'

type MenuOf = (subject: Subject, more?: { without?: readonly ActionName[]; disabled?: boolean }) => ReactNode

type Props = {
  rows: readonly Row[]
  /** The visits on hold or not here. */
  aside: readonly Visit[]
  /** The visitor in session or the called visitor. While there is one, no other session can be started. */
  inHand: Visit | undefined
  canCall: boolean
  /** Whether the consultant may choose visitors of the common line. */
  handPick: boolean
  /** Whether the desk takes only the visitors who are assigned to it. */
  last: boolean
  start: Start
  busy: boolean
  menuOf: MenuOf
  /** Reads the line again; undefined if it could be read. Without the line, no row is known to be next. */
  onRetry: (() => void) | undefined
}

const text = messages.visits.mine

/** The visitors whom this consultant can serve, in the order in which they are called; the first is next. */
export function MyQueue({ rows, aside, last, menuOf, canCall, onRetry, ...rest }: Props) {
  // What the server would refuse now is not in the menus.
  const without: ActionName[] = [
    ...(canCall ? [] : ['call' as const]),
    ...(rest.inHand ? ['start' as const] : []),
  ]
  const menu: MenuOf = (subject) => menuOf(subject, { without, disabled: rest.busy })
  const empty = onRetry ? null : <Empty text={text.queueEmpty} />
  return (
    <Panel title={text.queue} count={onRetry ? undefined : rows.length} className="my-queue">
      {onRetry ? <LoadAgain text={messages.life.line.loadFailed} onRetry={onRetry} /> : null}
      {rows.length === 0 ? (
        empty
      ) : (
        <ScrollRegion label={text.queue}>
          <ul>
            {rows.map((row, index) => (
              <Entry key={row.id} row={row} first={index === 0 && !onRetry} menuOf={menu} {...rest} />
            ))}
          </ul>
        </ScrollRegion>
      )}
      {last ? <p className="my-queue-left small-text">{messages.life.mine.left}</p> : null}
      <Aside visits={aside} menuOf={menu} />
    </Panel>
  )
}

type EntryProps = Pick<Props, 'inHand' | 'handPick' | 'start' | 'busy' | 'menuOf'> & {
  row: Row
  first: boolean
}

function Entry({ row, first, inHand, handPick, start, busy, menuOf }: EntryProps) {
  const time = useOfficeTime()
  const { id, token, tokenAlso, visit, place } = row
  const mine = isAssigned(row) || handPick
  const ready = mine && (inHand === undefined || inHand.id === id)
  const of = visit ?? place
  const reasons = place ? ownReasonsOf(place, time.time) : ''
  return (
    <li className="my-queue-entry small-lines">
      <Token token={token} also={tokenAlso} />
      <b>
        {visit ? visit.name : <VisitService of={place} />}
        {first ? <span className="next-tag">{text.next}</span> : null}
        {of.day ? <EarlierDay day={of.day} /> : null}
      </b>
      {visit || reasons || of.documents?.missing.length ? (
        <small className="my-queue-why">
          {visit ? (
            <span>
              <VisitService of={visit} />
            </span>
          ) : null}
          {reasons ? <span>{reasons}</span> : null}
          <MissingMark of={of} />
        </small>
      ) : null}
      <span className="my-queue-waits">
        <Waits row={row} />
      </span>
      <span className="my-queue-acts">
        <Button
          icon={<Icon name="play" size={16} />}
          disabled={!ready || busy}
          onClick={() => start.start(row)}
        >
          {start.isStarting(id) ? text.starting : text.start}
        </Button>
        {mine ? menuOf(subjectOfRow(row, time.today())) : null}
      </span>
      {/* For the called visitor, the card shows the failure. */}
      {inHand?.id === id ? null : <Unanswered error={start.errorOf(id)} />}
    </li>
  )
}

/** A called visitor: the stage. Others: the range of the expected call and, for a known visit, the wait. */
function Waits({ row: { visit, place } }: { row: Row }) {
  if (visit && stageOf(visit) === 'called') return <StageTag status={visit.status} queue={visit.queue} />
  return (
    <>
      {visit ? <small>{fill(messages.visits.minutes, { minutes: visit.waitTime })}</small> : null}
      <Range of={visit ? visit.queue : place} brief narrow />
    </>
  )
}

/** The visitors on hold or not here, in a folded list: they are not in the queue, but can come back. */
function Aside({ visits, menuOf }: { visits: readonly Visit[]; menuOf: MenuOf }) {
  const time = useOfficeTime()
  if (visits.length === 0) return null
  return (
    <details className="my-queue-aside">
      <summary>{fill(plural(messages.life.mine.aside, visits.length), { count: visits.length })}</summary>
      <ul>
        {visits.map((visit) => (
          <li className="my-queue-entry small-lines" key={visit.id}>
            <Token small token={visit.token} also={visit.tokenAlso} />
            <b>
              {visit.name} <EarlierDay day={visit.day} />
            </b>
            <small className="my-queue-why">{heldWords(visit, time.time)}</small>
            <span className="my-queue-waits">
              <StageTag status={visit.status} queue={visit.queue} />
            </span>
            <span className="my-queue-acts">{menuOf(subjectOf(visit, time.today()))}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}

export function QueueSkeleton() {
  return (
    <Panel title={text.queue} className="my-queue">
      <SkeletonRows label={messages.visits.loading} rows={2}>
        <div className="my-queue-entry my-queue-blank">
          <Blank like="token" />
          <BlankLines lines={3} />
          <Blank like="control" />
        </div>
      </SkeletonRows>
    </Panel>
  )
}
