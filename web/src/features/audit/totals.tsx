import type { Dashboard } from '@/api/types'
import { messages } from '@/staff-messages'
import { Filled } from '@/ui/filled'
import { Figure, Stats } from '@/ui/stats'
import { statedWaitMinutes } from './queries'

const text = messages.audit.stats

type Props = { dashboard: Dashboard | undefined; last: 'wait' | 'completed' }

/**
 * Today in four figures. The last figure is the published average wait, with the measured one, on the PA's screen, and
 * the completed visits on the admin's.
 */
export function Totals({ dashboard, last }: Props) {
  const today = dashboard?.today
  const lastStat =
    last === 'completed'
      ? { label: text.completed, value: today?.completed_visits }
      : {
          label: text.wait,
          value: statedWaitMinutes,
          unit: text.minutes,
          measured: measuredOf(dashboard),
        }
  return (
    <Stats
      inLine
      items={[
        { label: text.total, value: today?.total_visits },
        { label: text.pending, value: today?.new_visits },
        { label: text.inSession, value: today?.in_session_visits },
        lastStat,
      ]}
    />
  )
}

/** The measured average wait: a placeholder while it loads, and undefined if nothing was measured. */
function measuredOf(dashboard: Dashboard | undefined) {
  const measured = dashboard?.measured.avg_wait_minutes
  if (dashboard && typeof measured !== 'number') return undefined
  const value = typeof measured === 'number' ? Math.round(measured) : undefined
  return <Filled message={text.measured} values={{ minutes: <Figure value={value} /> }} />
}
