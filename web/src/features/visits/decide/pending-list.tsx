import { useRef } from 'react'
import type { Visit } from '@/api/types'
import type { ConsultantChoice } from '@/features/visits/data/consultant-choice'
import { arrivalOf } from '@/features/visits/data/order'
import { messages } from '@/staff-messages'
import { Empty } from '@/ui/empty'
import { LoadAgain } from '@/ui/load-again'
import { useNow } from '@/ui/office-time'
import { Panel, ScrollRegion } from '@/ui/panel'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { BlankCard, PendingCard } from './pending-card'
import { UnsentDecisions } from '@/features/visits/parts/unsent-notes'
import type { Selection } from './selection'
import type { Several } from './several'
import './pending-list.css'

type Props = {
  visits: readonly Visit[] | undefined
  failed: boolean
  onRetry: () => void
  /** All active consultants. */
  consultants: readonly ConsultantChoice[]
  publishedWait: number
  paId: string
  /** Undefined where rows are decided one by one. */
  selection: Selection | undefined
  several: Several
}

const text = messages.visits.pending

/** Visits that wait for a decision, oldest first. After a decision the select of the next row gets the focus. */
export function PendingList(props: Props) {
  const { visits, failed, onRetry, consultants, publishedWait, paId, selection, several } = props
  const now = useNow(15_000)
  const list = useRef<HTMLDivElement>(null)

  const focusNext = (decided: Visit) => {
    const waiting = inWaitingOrder(visits ?? [])
    const index = waiting.findIndex(({ id }) => id === decided.id)
    const next = waiting[index + 1] ?? waiting[index - 1]
    list.current?.querySelector<HTMLElement>(`[data-visit="${next?.id}"] [role="combobox"]`)?.focus()
  }

  return (
    <Panel title={text.title} untitled>
      {visits === undefined && failed ? (
        <LoadAgain text={messages.visits.loadFailed} onRetry={onRetry} />
      ) : null}
      {visits === undefined && !failed ? (
        <SkeletonRows label={messages.visits.loading} rows={8}>
          <BlankCard />
        </SkeletonRows>
      ) : null}
      {visits ? <UnsentDecisions pending={visits} /> : null}
      {visits?.length === 0 ? <Empty text={text.empty} /> : null}
      {visits && visits.length > 0 ? (
        <ScrollRegion tall label={text.title}>
          <div ref={list} className="pending-cards">
            {inWaitingOrder(visits).map((visit) => (
              <PendingCard
                key={visit.id}
                visit={visit}
                now={now}
                consultants={consultants}
                publishedWait={publishedWait}
                paId={paId}
                onDecided={focusNext}
                select={selectOf(selection, visit)}
                several={selection && several.count > 0 ? several : undefined}
                sending={several.isSending(visit.id)}
              />
            ))}
          </div>
        </ScrollRegion>
      ) : null}
    </Panel>
  )
}

const selectOf = (selection: Selection | undefined, { id }: Visit) =>
  selection && { selected: selection.has(id), toggle: () => selection.toggle(id) }

/** Oldest first. */
const inWaitingOrder = (visits: readonly Visit[]) =>
  visits.toSorted((one, other) => arrivalOf(one).localeCompare(arrivalOf(other)))
