import type { ReactNode } from 'react'
import type { Visit } from '@/api/types'
import { durationOf } from '@/features/visits/data/visit'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { Empty } from '@/ui/empty'
import { Panel, ScrollRegion } from '@/ui/panel'
import { Blank, SkeletonRows } from '@/ui/skeleton-rows'
import { StatusTag } from '@/ui/status-tag'
import { Token } from '@/ui/token'
import '@/features/visits/parts/my-lists.css'

const text = messages.visits.mine

type Props = { visits: readonly Visit[]; menuOf: (visit: Visit) => ReactNode }

/** This consultant's completed visits of today, latest first. */
export function CompletedList({ visits, menuOf }: Props) {
  return (
    <Panel title={text.completed} count={visits.length}>
      {visits.length === 0 ? (
        <Empty text={text.completedEmpty} />
      ) : (
        <ScrollRegion label={text.completed}>
          <ul>
            {visits.map((visit) => (
              <li className="completed-entry" key={visit.id}>
                <Token small token={visit.token} also={visit.tokenAlso} />
                <div className="completed-line">
                  <b>{visit.name}</b>
                  <span className="completed-end">
                    <span>{fill(messages.visits.minutes, { minutes: durationOf(visit) })}</span>
                    <StatusTag status="completed" label={messages.visits.completedBadge} />
                    {menuOf(visit)}
                  </span>
                </div>
                {visit.notes ? <p>{visit.notes}</p> : null}
              </li>
            ))}
          </ul>
        </ScrollRegion>
      )}
    </Panel>
  )
}

export function CompletedSkeleton() {
  return (
    <Panel title={text.completed}>
      <SkeletonRows label={messages.visits.loading} rows={3}>
        <div className="completed-entry completed-blank">
          <Blank like="token" />
          <div className="completed-line">
            <Blank like="line" />
            <span className="completed-end">
              <Blank like="tag" />
            </span>
          </div>
          <p>
            <Blank like="line" />
          </p>
        </div>
      </SkeletonRows>
    </Panel>
  )
}
