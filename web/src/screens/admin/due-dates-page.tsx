import { useQuery } from '@tanstack/react-query'
import { messages } from '@/admin-messages'
import { Calendar } from '@/features/due-dates/calendar'
import { dueName } from '@/ui/due-name'
import { dueDatesQuery } from '@/features/due-dates/queries'
import { Demand } from '@/features/foresight/demand'
import { demandQuery } from '@/features/foresight/queries'
import { Panel } from '@/ui/panel'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { Loaded } from './loaded'

/** The expected arrivals and the calendar of due dates. */
export function DueDatesPage() {
  const demand = useQuery(demandQuery)
  const days = useQuery(dueDatesQuery)
  const dueOn = (day: string) =>
    (days.data ?? []).filter(({ date, active }) => active && date === day).map(({ title }) => dueName(title))
  return (
    <div className="due-dates">
      <Loaded query={demand} failure={messages.demand.failed} title={messages.demand.title}>
        {(expected) =>
          expected ? (
            <Demand demand={expected} dueOn={dueOn} />
          ) : (
            <Panel title={messages.demand.title}>
              <SkeletonRows label={messages.demand.loading} />
            </Panel>
          )
        }
      </Loaded>
      <Loaded query={days} failure={messages.dueDates.failed} title={messages.dueDates.title}>
        {(all) => <Calendar days={all} />}
      </Loaded>
    </div>
  )
}
