import { useQuery } from '@tanstack/react-query'
import type { DueDate } from '@/api/types'
import { messages } from '@/staff-messages'
import { useOfficeTime } from '@/ui/office-time'
import { dueName } from '@/ui/due-name'
import { dueSoonQuery } from './queries'
import './due-banner.css'

const text = messages.forecast.due

/** The due dates of today and the next three days. Without due dates, the banner is not rendered. */
export function DueBanner() {
  const { data = [] } = useQuery(dueSoonQuery)
  const time = useOfficeTime()
  const today = time.today()
  const soon = byDay(data.filter(({ active, date }) => active && date >= today))
  if (soon.length === 0) return null
  return (
    <aside className="due-banner" aria-label={text.soon}>
      <b>{text.soon}</b>
      <ul>
        {soon.map(([day, titles]) => (
          <li key={day}>
            <b>{day === today ? text.today : time.dayOf(day).slice(0, -5)}</b>{' '}
            {titles.map(dueName).join(', ')}
          </li>
        ))}
      </ul>
    </aside>
  )
}

/** The titles by day, in the order of the days. */
function byDay(all: readonly DueDate[]): [string, string[]][] {
  const days = new Map<string, string[]>()
  for (const { date, title } of all) days.set(date, [...(days.get(date) ?? []), title])
  return [...days]
}
