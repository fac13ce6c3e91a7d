import { useQuery } from '@tanstack/react-query'
import { messages } from '@/admin-messages'
import { Calendar } from '@/features/due-dates/calendar'
import { dueDatesQuery } from '@/features/due-dates/queries'
import { Loaded } from './loaded'

const text = messages.dueDates

/** The calendar of due dates, loaded with its tab. */
export function DueDatesTab() {
  const days = useQuery(dueDatesQuery)
  return (
    <Loaded query={days} failure={text.failed} title={text.title}>
      {(all) => <Calendar days={all} />}
    </Loaded>
  )
}
