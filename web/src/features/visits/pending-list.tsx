import { useRef } from 'react'
import type { Visit } from '@/api/types'
import { messages } from '@/messages'
import { Empty } from '@/ui/empty'
import { LoadAgain } from '@/ui/load-again'
import { useNow } from '@/ui/office-time'
import { Panel, ScrollRegion } from '@/ui/panel'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { PendingCard, type ConsultantChoice } from './pending-card'

type Props = {
  visits: readonly Visit[] | undefined
  failed: boolean
  onRetry: () => void
  consultants: readonly ConsultantChoice[]
  paId: string
}

const text = messages.visits.pending

/** Who waits for a decision, oldest first. After a decision the cursor stands in the next card. */
export function PendingList({ visits, failed, onRetry, consultants, paId }: Props) {
  const now = useNow(15_000)
  const list = useRef<HTMLDivElement>(null)

  const focusNext = (decided: Visit) => {
    const index = visits?.findIndex(({ id }) => id === decided.id) ?? -1
    const next = visits?.[index + 1] ?? visits?.[index - 1]
    list.current?.querySelector<HTMLElement>(`[data-visit="${next?.id}"] [role="combobox"]`)?.focus()
  }

  return (
    <Panel title={text.title} count={visits?.length}>
      {visits === undefined && failed ? (
        <LoadAgain text={messages.visits.loadFailed} onRetry={onRetry} />
      ) : null}
      {visits === undefined && !failed ? <SkeletonRows label={messages.visits.loading} /> : null}
      {visits?.length === 0 ? <Empty text={text.empty} /> : null}
      {visits && visits.length > 0 ? (
        <ScrollRegion tall label={text.title}>
          <div ref={list}>
            {visits.map((visit) => (
              <PendingCard
                key={visit.id}
                visit={visit}
                now={now}
                consultants={consultants}
                paId={paId}
                onDecided={focusNext}
              />
            ))}
          </div>
        </ScrollRegion>
      ) : null}
    </Panel>
  )
}
