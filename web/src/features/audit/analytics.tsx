import type { ReactNode } from 'react'
import type { Dashboard } from '@/api/types'
import { fill, messages } from '@/messages'
import { PeakChart } from './peak-chart'
import { statedWaitMinutes } from './queries'
import { clockHour, completionRate } from './figures'
import './analytics.css'

const text = messages.audit.analytics

/** With fewer visits today the server measures the last 30 days. */
const enoughVisits = 10

/** The figures of the office: what it states of itself large, what was measured under a rule. */
export function Analytics({ dashboard }: { dashboard: Dashboard | undefined }) {
  const { total_visits: total = 0, completed_visits: completed = 0 } = dashboard?.today ?? {}
  const {
    avg_wait_minutes: wait,
    peak_hours: peak,
    arrivals_by_hour: arrivals = [],
  } = dashboard?.measured ?? {}
  const basis = total >= enoughVisits ? text.measuredToday : text.measuredRecently
  return (
    <div className="analytics">
      <Figure title={text.wait} value={statedWaitMinutes} unit={text.minutes}>
        {typeof wait === 'number' ? (
          <>
            {basis} <b>{fill(messages.visits.minutes, { minutes: Math.round(wait) })}</b>
          </>
        ) : (
          text.nothingMeasured
        )}
      </Figure>
      <Figure title={text.rate} value={completionRate(completed, total)} unit={text.percent}>
        {text.completed} <b>{completed}</b> {text.of} <b>{total}</b>
      </Figure>
      <Figure title={text.peak} value={text.peakText} wide>
        <PeakChart arrivals={arrivals} peak={peak} />
        {peak ? (
          <>
            {basis} <b>{fill(text.peakRange, { from: clockHour(peak.from), to: clockHour(peak.to) })}</b>
          </>
        ) : (
          text.nothingMeasured
        )}
      </Figure>
    </div>
  )
}

type FigureProps = {
  title: string
  value: string | number
  unit?: string
  wide?: boolean
  children: ReactNode
}

function Figure({ title, value, unit, wide = false, children }: FigureProps) {
  return (
    <section className={wide ? 'figure figure-wide' : 'figure'} aria-label={title}>
      <h2>{title}</h2>
      <p className="figure-value">
        {value}
        {unit ? <small>{unit}</small> : null}
      </p>
      <div className="figure-measured">{children}</div>
    </section>
  )
}
