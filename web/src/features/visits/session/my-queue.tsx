import { useMutation } from '@tanstack/react-query'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import type { Visit } from '@/api/types'
import { heldWords } from '@/features/visits/data/held-words'
import { startSession } from '@/features/visits/data/mutations'
import { ClassMark } from '@/features/visits/parts/class-mark'
import { EarlierDay } from '@/features/visits/parts/earlier-day'
import { MissingMark } from '@/features/visits/parts/missing-papers'
import { Range } from '@/features/visits/parts/range'
import { Unanswered } from '@/features/visits/parts/unanswered'
import { VisitService } from '@/features/visits/parts/visit-service'
import { fill, plural } from '@/messages'
import { messages } from '@/staff-messages'
import { Empty } from '@/ui/empty'
import { Icon } from '@/ui/icon'
import { useOfficeTime } from '@/ui/office-time'
import { Panel, ScrollRegion } from '@/ui/panel'
import { Blank, BlankLines, SkeletonRows } from '@/ui/skeleton-rows'
import { StageTag } from '@/ui/stage-tag'
import { Token } from '@/ui/token'
import '@/features/visits/parts/my-lists.css'

type Props = {
  queue: readonly Visit[]
  /** On hold or not here. */
  aside: readonly Visit[]
  /** A session is in progress: no other one can be started. */
  busy: boolean
  /** While a visitor is called, only that one's session can be started. */
  calledId: string | undefined
  menuOf: (visit: Visit) => ReactNode
}

const text = messages.visits.mine

/** The visitors who wait for this consultant; the first is next. */
export function MyQueue({ queue, aside, busy, calledId, menuOf }: Props) {
  const start = useMutation(startSession)
  return (
    <Panel title={text.queue} count={queue.length} className="my-queue">
      {queue.length === 0 ? (
        <Empty text={text.queueEmpty} />
      ) : (
        <ScrollRegion label={text.queue}>
          <ul>
            {queue.map((visit, index) => (
              <li className="my-queue-entry small-lines" key={visit.id}>
                <Token token={visit.token} also={visit.tokenAlso} />
                <div>
                  <b>
                    {visit.name}
                    {index === 0 ? <span className="next-tag">{text.next}</span> : null}
                    <ClassMark of={visit.queue.class} />
                    <EarlierDay day={visit.day} />
                  </b>
                  <small>
                    <VisitService of={visit} /> <MissingMark of={visit} />
                  </small>
                  <small>{fill(messages.visits.minutes, { minutes: visit.waitTime })}</small>
                  {visit.id === calledId ? null : <Range of={visit.queue} brief />}
                  {visit.id === calledId ? (
                    <StageTag status={visit.status} stage="called" counter={visit.queue.counter} />
                  ) : null}
                  {start.variables?.id === visit.id ? <Unanswered error={start.error} /> : null}
                </div>
                <span className="my-queue-acts">
                  <Button
                    icon={<Icon name="play" size={16} />}
                    disabled={busy || start.isPending || (calledId !== undefined && calledId !== visit.id)}
                    onClick={() => start.mutate(visit)}
                  >
                    {start.isPending && start.variables.id === visit.id ? text.starting : text.start}
                  </Button>
                  {menuOf(visit)}
                </span>
              </li>
            ))}
          </ul>
        </ScrollRegion>
      )}
      <Aside visits={aside} menuOf={menuOf} />
    </Panel>
  )
}

/** The visitors on hold or not here, folded: they are not in the queue, but can come back. */
function Aside({ visits, menuOf }: { visits: readonly Visit[]; menuOf: Props['menuOf'] }) {
  const time = useOfficeTime()
  if (visits.length === 0) return null
  return (
    <details className="my-queue-aside">
      <summary>{fill(plural(messages.life.mine.aside, visits.length), { count: visits.length })}</summary>
      <ul>
        {visits.map((visit) => (
          <li className="my-queue-entry small-lines" key={visit.id}>
            <Token small token={visit.token} also={visit.tokenAlso} />
            <div>
              <b>
                {visit.name} <EarlierDay day={visit.day} />
              </b>
              <small>{heldWords(visit, time.time)}</small>
              <StageTag status={visit.status} stage={visit.queue.stage} />
            </div>
            <span className="my-queue-acts">{menuOf(visit)}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** Placeholder of the queue. */
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
