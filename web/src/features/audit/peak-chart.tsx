import { counted, fill, locale } from '@/messages'
import { messages } from '@/staff-messages'
import { hourOfDay } from '@/ui/time-of-day'
import { hoursOf } from './figures'

const text = messages.audit.analytics

type Props = { arrivals: readonly number[]; peak: { from: string; to: string } | null | undefined }

/** Only English hours are short enough to label every bar: `9 AM`. */
const labelled = (hour: number, bars: number) => locale === 'en' || hour % (bars > 12 ? 6 : 3) === 0

const tallest = 150
const numbered = 22

/**
 * Arrivals by hour: each bar has its number, and the peak has a colour of its own. Each bar is in a picture of
 * fixed height, so that a bar that grows does not move the page.
 */
export function PeakChart({ arrivals, peak }: Props) {
  const hours = hoursOf(arrivals, peak)
  const description = hours
    .map(({ hour, count }) => fill(text.chartHour, { hour: hourOfDay(hour), count }))
    .join(', ')
  return (
    <figure
      className={locale === 'en' ? 'peak-chart' : 'peak-chart peak-sparse'}
      role="img"
      aria-label={fill(text.chart, { hours: description })}
    >
      {hours.map(({ hour, count, share, hot }) => (
        <div key={hour} className={hot ? 'peak-hour peak-hot' : 'peak-hour'} aria-hidden="true">
          <svg className="peak-bar" height={tallest + numbered} width="100%">
            <text className="peak-count" x="50%" y={tallest * (1 - share) + numbered - 7} textAnchor="middle">
              {counted(count)}
            </text>
            <rect y={tallest * (1 - share) + numbered} width="100%" height={tallest * share} rx="2" />
          </svg>
          <span className="peak-label">{labelled(hour, hours.length) ? hourOfDay(hour) : null}</span>
        </div>
      ))}
    </figure>
  )
}
