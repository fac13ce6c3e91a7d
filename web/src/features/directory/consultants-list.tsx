import type { ReactNode } from 'react'
import type { Desk } from '@/api/types'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { Availability } from '@/ui/badges'
import { Empty } from '@/ui/empty'
import { LoadAgain } from '@/ui/load-again'
import { Panel, ScrollRegion } from '@/ui/panel'
import { Blank, BlankLines, SkeletonRows } from '@/ui/skeleton-rows'
import { isAvailable, type Consultant } from './models'
import './consultants-list.css'

type Props = {
  consultants: readonly Consultant[] | undefined
  desks: readonly Desk[]
  stateOf: (desk: Desk) => ReactNode
  failed: boolean
  onRetry: () => void
}

const text = messages.directory

/**
 * All active consultants with their load, and how many are available. They are sorted by name, so that no entry moves
 * when a consultant becomes busy.
 */
export function ConsultantsList({ consultants, desks, stateOf, failed, onRetry }: Props) {
  const deskOf = (id: string) => desks.find(({ consultantId }) => consultantId === id)
  const active = consultants?.filter(({ isActive }) => isActive)
  return (
    <Panel title={text.consultants} count={countOf(active)}>
      {active ? null : failed ? (
        <LoadAgain text={text.consultantsFailed} onRetry={onRetry} />
      ) : (
        <SkeletonRows label={text.loadingConsultants}>
          <div className="consultant-entry consultant-blank">
            <BlankLines lines={4} />
            <Blank like="tag" />
          </div>
        </SkeletonRows>
      )}
      {active?.length === 0 ? <Empty text={text.consultantsEmpty} /> : null}
      {active && active.length > 0 ? (
        <ScrollRegion label={text.consultants}>
          <ul>
            {active.map((consultant) => (
              <ConsultantEntry
                key={consultant.id}
                consultant={consultant}
                desk={deskOf(consultant.id)}
                stateOf={stateOf}
              />
            ))}
          </ul>
        </ScrollRegion>
      ) : null}
    </Panel>
  )
}

function countOf(active: readonly Consultant[] | undefined) {
  if (!active || active.length === 0) return undefined
  return fill(text.availableOf, { free: active.filter(isAvailable).length, all: active.length })
}

type EntryProps = Pick<Props, 'stateOf'> & { consultant: Consultant; desk: Desk | undefined }

function ConsultantEntry({ consultant, desk, stateOf }: EntryProps) {
  const free = desk?.state === 'open' && !desk.visit
  return (
    <li className="consultant-entry">
      <b>{consultant.name}</b>
      <Availability available={isAvailable(consultant)} free={free} />
      <p className="consultant-desk-state">{desk ? stateOf(desk) : null}</p>
      <p>{consultant.specialization.join(', ')}</p>
      <p className="consultant-figures">
        <span>
          {text.queue} <b>{consultant.currentQueue}</b>
        </span>
        <span>
          {text.completedToday} <b>{consultant.totalSessions}</b>
        </span>
      </p>
    </li>
  )
}
