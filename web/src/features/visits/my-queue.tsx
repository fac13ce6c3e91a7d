import { useMutation } from '@tanstack/react-query'
import { Button } from 'antd'
import type { Visit } from '@/api/types'
import { fill, messages } from '@/messages'
import { Empty } from '@/ui/empty'
import { Icon } from '@/ui/icon'
import { Panel, ScrollRegion } from '@/ui/panel'
import { Blank, BlankLines, SkeletonRows } from '@/ui/skeleton-rows'
import { Token } from '@/ui/token'
import { startSession } from './mutations'
import { serviceName } from './visit'
import './my-lists.css'

type Props = {
  queue: readonly Visit[]
  /** A session is in progress: no other one can be started. */
  busy: boolean
}

const text = messages.visits.mine

/** The visitors who wait for this consultant; the first is next. */
export function MyQueue({ queue, busy }: Props) {
  const start = useMutation(startSession)
  return (
    <Panel title={text.queue} count={queue.length} className="my-queue">
      {queue.length === 0 ? (
        <Empty text={text.queueEmpty} />
      ) : (
        <ScrollRegion label={text.queue}>
          <ul>
            {queue.map((visit, index) => (
              <li className="my-queue-entry" key={visit.id}>
                <Token token={visit.token} />
                <div>
                  <b>
                    {visit.name}
                    {index === 0 ? <span className="next-tag">{text.next}</span> : null}
                  </b>
                  <small>{serviceName(visit)}</small>
                  <small>{fill(messages.visits.minutes, { minutes: visit.waitTime })}</small>
                </div>
                <Button
                  icon={<Icon name="play" size={16} />}
                  disabled={busy || start.isPending}
                  onClick={() => start.mutate(visit)}
                >
                  {start.isPending && start.variables.id === visit.id ? text.starting : text.start}
                </Button>
              </li>
            ))}
          </ul>
        </ScrollRegion>
      )}
    </Panel>
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
