import { useQuery } from '@tanstack/react-query'
import { useUser } from '@/features/auth/gate'
import { servicesQuery } from '@/features/directory/queries'
import { useOffice } from '@/features/office/use-office'
import { lineQuery, todayQuery } from '@/features/visits/data/queries'
import { LineBoard } from '@/features/visits/line/line-board'
import { inBackground } from '@/in-background'
import { messages } from '@/staff-messages'
import { LoadAgain } from '@/ui/load-again'
import { useOfficeTime } from '@/ui/office-time'
import { Panel } from '@/ui/panel'
import { SkeletonRows } from '@/ui/skeleton-rows'

const text = messages.life.line

/** The tab that shows the line. */
export function LineTab() {
  const user = useUser()
  const { timeZone, brand, languages = [] } = useOffice()
  const { today } = useOfficeTime()
  const line = useQuery(lineQuery)
  const visits = useQuery(todayQuery())
  const services = useQuery(servicesQuery)
  if (line.isLoadingError) {
    return (
      <Panel title={text.title}>
        <LoadAgain text={text.loadFailed} onRetry={() => inBackground(line.refetch())} />
      </Panel>
    )
  }
  if (!line.data) {
    return (
      <Panel title={text.title}>
        <SkeletonRows label={text.loading} />
      </Panel>
    )
  }
  return (
    <LineBoard
      line={line.data}
      visits={visits.data ?? []}
      by={user}
      services={services.data?.filter(({ active }) => active) ?? []}
      timeZone={timeZone}
      office={{ brand, languages }}
      today={today()}
    />
  )
}
