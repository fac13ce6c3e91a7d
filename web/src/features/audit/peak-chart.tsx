import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { hourOfDay } from '@/ui/time-of-day'
import { hoursOf } from './figures'

const text = messages.audit.analytics

type Props = { arrivals: readonly number[]; peak: { from: string; to: string } | null | undefined }

const tallest = 150
const numbered = 22

/**
 * Arrivals by hour, each bar with its number; the peak in ink. Every bar is drawn in a picture of the same size: one
 * that grows while the page is open moves nothing beside it.
 */
export function PeakChart({ arrivals, peak }: Props) {
  const hours = hoursOf(arrivals, peak)
  const description = hours
    .map(({ hour, count }) => fill(text.chartHour, { hour: hourOfDay(hour), count }))
    .join(', ')
  return (
    <figure className="peak-chart" role="img" aria-label={fill(text.chart, { hours: description })}>
      {hours.map(({ hour, count, share, hot }) => (
        <div key={hour} className={hot ? 'peak-hour peak-hot' : 'peak-hour'} aria-hidden="true">
          <svg className="peak-bar" height={tallest + numbered} width="100%">
            <text className="peak-count" x="50%" y={tallest * (1 - share) + numbered - 7} textAnchor="middle">
              {count}
            </text>
            <rect y={tallest * (1 - share) + numbered} width="100%" height={tallest * share} rx="2" />
          </svg>
          <span className="peak-label">{hourOfDay(hour)}</span>
        </div>
      ))}
    </figure>
  )
}
