import type { Dashboard } from '@/api/types'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { Stats } from '@/ui/stats'
import { statedWaitMinutes } from './queries'

const text = messages.audit.stats

type Props = { dashboard: Dashboard | undefined; last: 'wait' | 'completed' }

/** Today in four figures; the last one is the average wait for the PA, and the completed visits for the admin. */
export function Totals({ dashboard, last }: Props) {
  const today = dashboard?.today
  const lastStat =
    last === 'completed'
      ? { label: text.completed, value: today?.completed_visits }
      : {
          label: text.wait,
          value: statedWaitMinutes,
          unit: text.minutes,
          note: noteOf(dashboard),
        }
  return (
    <Stats
      items={[
        { label: text.total, value: today?.total_visits },
        { label: text.pending, value: today?.new_visits },
        { label: text.inSession, value: today?.in_session_visits },
        lastStat,
      ]}
    />
  )
}

/** The measured value; its line is reserved while it loads. */
function noteOf(dashboard: Dashboard | undefined) {
  if (!dashboard) return '\u00a0'
  const measured = dashboard.measured.avg_wait_minutes
  return typeof measured === 'number' ? fill(text.measured, { minutes: Math.round(measured) }) : undefined
}
