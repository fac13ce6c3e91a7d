import { fill, messages } from '@/messages'
import { hourOfDay } from '@/ui/time-of-day'
import { hoursOf } from './figures'

const text = messages.audit.analytics

type Props = { arrivals: readonly number[]; peak: { from: string; to: string } | null | undefined }

const tallest = 150

/** Arrivals by hour, each bar with its number; the peak in ink. */
export function PeakChart({ arrivals, peak }: Props) {
  const hours = hoursOf(arrivals, peak)
  const description = hours
    .map(({ hour, count }) => fill(text.chartHour, { hour: hourOfDay(hour), count }))
    .join(', ')
  return (
    <figure className="peak-chart" role="img" aria-label={fill(text.chart, { hours: description })}>
      {hours.map(({ hour, count, share, hot }) => (
        <div key={hour} className={hot ? 'peak-hour peak-hot' : 'peak-hour'} aria-hidden="true">
          <span className="peak-count">{count}</span>
          <svg className="peak-bar" height={tallest * share} width="100%">
            <rect width="100%" height="100%" rx="2" />
          </svg>
          <span className="peak-label">{hourOfDay(hour)}</span>
        </div>
      ))}
    </figure>
  )
}
