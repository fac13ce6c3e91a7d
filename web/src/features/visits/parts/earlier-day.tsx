import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { useOfficeTime } from '@/ui/office-time'
import './earlier-day.css'

/** The day of a visit that is left over from an earlier day. */
export function EarlierDay({ day }: { day: string }) {
  const time = useOfficeTime()
  if (day >= time.today()) return null
  return <span className="earlier-day">{fill(messages.life.tray.since, { day: time.dayOf(day) })}</span>
}
