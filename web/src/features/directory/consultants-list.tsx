import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { Availability } from '@/ui/badges'
import { Empty } from '@/ui/empty'
import { LoadAgain } from '@/ui/load-again'
import { Panel, ScrollRegion } from '@/ui/panel'
import { Blank, BlankLines, SkeletonRows } from '@/ui/skeleton-rows'
import { isAvailable, type Consultant } from './models'
import './consultants-list.css'

type Props = { consultants: readonly Consultant[] | undefined; failed: boolean; onRetry: () => void }

const text = messages.directory

/** All active consultants with their load, the available ones first, and how many these are. */
export function ConsultantsList({ consultants, failed, onRetry }: Props) {
  const active = consultants
    ?.filter(({ isActive }) => isActive)
    .toSorted((one, other) => Number(isAvailable(other)) - Number(isAvailable(one)))
  return (
    <Panel title={text.consultants} count={countOf(active)}>
      {active ? null : failed ? (
        <LoadAgain text={text.consultantsFailed} onRetry={onRetry} />
      ) : (
        <SkeletonRows label={text.loadingConsultants}>
          <div className="consultant-entry consultant-blank">
            <BlankLines lines={3} />
            <Blank like="tag" />
          </div>
        </SkeletonRows>
      )}
      {active?.length === 0 ? <Empty text={text.consultantsEmpty} /> : null}
      {active && active.length > 0 ? (
        <ScrollRegion label={text.consultants}>
          <ul>
            {active.map((consultant) => (
              <ConsultantEntry key={consultant.id} consultant={consultant} />
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

function ConsultantEntry({ consultant }: { consultant: Consultant }) {
  return (
    <li className="consultant-entry">
      <b>{consultant.name}</b>
      <Availability available={isAvailable(consultant)} />
      <p>{consultant.specialization.join(', ')}</p>
      <p className="consultant-figures">
        <span>
          {text.queue} <b>{consultant.currentQueue}</b>
        </span>
        <span>
          {text.completedToday} <b>{consultant.totalSessions}</b>
        </span>
        {consultant.inSession ? <span>{text.inSession}</span> : null}
      </p>
    </li>
  )
}
