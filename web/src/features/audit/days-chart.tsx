import { counted, fill, plural } from '@/messages'
import { messages } from '@/staff-messages'
import { useOfficeTime } from '@/ui/office-time'
import type { Bar } from './period'

const text = messages.audit.figures

const height = 100
const width = 10
const gap = 2
const fewBars = 14

/**
 * Visits by day, with the completed ones in a second colour. Few bars show their numbers; with many bars, only the
 * first and the last day have a label.
 */
export function DaysChart({ bars }: { bars: readonly Bar[] }) {
  const time = useOfficeTime()
  const most = Math.max(1, ...bars.map(({ visits }) => visits))
  const scale = (count: number) => (height * count) / most
  const few = bars.length <= fewBars
  const description = bars
    .filter(({ visits }) => visits > 0)
    .map(({ first, visits, completed }) => fill(text.chartDay, { day: time.dayOf(first), visits, completed }))
    .join(', ')
  const named = few ? bars : bars.slice(0, 1).concat(bars.slice(-1))
  return (
    <figure className="days-chart">
      <svg
        role="img"
        aria-label={fill(text.chart, { days: description || text.none })}
        viewBox={`0 0 ${bars.length * width} ${height}`}
        preserveAspectRatio="none"
      >
        {bars.map(({ first, visits, completed }, index) => (
          <g key={first} transform={`translate(${index * width + gap / 2} 0)`}>
            <rect className="day-all" y={height - scale(visits)} width={width - gap} height={scale(visits)} />
            <rect
              className="day-completed"
              y={height - scale(completed)}
              width={width - gap}
              height={scale(completed)}
            />
          </g>
        ))}
      </svg>
      <div className={few ? 'days-labels days-labels-all' : 'days-labels'} aria-hidden="true">
        {named.map(({ first, last, visits }, index) => (
          <span key={first}>
            {few ? <b>{counted(visits)}</b> : null}
            {time.dayOf(index === 0 ? first : last).slice(0, -5)}
          </span>
        ))}
      </div>
      <figcaption>
        <i className="day-key day-key-completed" /> {text.keyCompleted}
        <i className="day-key" /> {text.keyAll}
        {few ? null : <span>{fill(plural(text.most, most), { visits: most })}</span>}
      </figcaption>
    </figure>
  )
}
