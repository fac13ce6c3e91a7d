import type { ReactNode } from 'react'
import type { Dashboard } from '@/api/types'
import { counted, fill } from '@/messages'
import { messages } from '@/staff-messages'
import { Filled } from '@/ui/filled'
import { hourOfDay } from '@/ui/time-of-day'
import { PeakChart } from './peak-chart'
import { statedWaitMinutes } from './queries'
import { completionRate, hourIn } from './figures'
import './analytics.css'

const text = messages.audit.analytics

/** If there are fewer visits today, the server measures the last 30 days. */
const enoughVisits = 10

/** The published wait and peak hours, with the measured ones below, and today's completion rate. */
export function Analytics({ dashboard }: { dashboard: Dashboard | undefined }) {
  return (
    <div className="analytics" aria-busy={dashboard === undefined}>
      <Figure title={text.wait} value={statedWaitMinutes} unit={text.minutes}>
        {dashboard ? <MeasuredWait dashboard={dashboard} /> : null}
      </Figure>
      <Figure title={text.rate} {...rateOf(dashboard)}>
        {dashboard ? <Completed dashboard={dashboard} /> : null}
      </Figure>
      <Figure title={text.peak} value={text.peakText} note={text.published} wide>
        {dashboard ? <MeasuredPeak dashboard={dashboard} /> : <div className="peak-waiting" />}
      </Figure>
    </div>
  )
}

type Known = { dashboard: Dashboard }

const basisOf = ({ today }: Dashboard) =>
  today.total_visits >= enoughVisits ? text.measuredToday : text.measuredRecently

function MeasuredWait({ dashboard }: Known) {
  const wait = dashboard.measured.avg_wait_minutes
  if (wait === null) return text.nothingMeasured
  return (
    <>
      {basisOf(dashboard)} <b>{fill(messages.visits.minutes, { minutes: Math.round(wait) })}</b>
    </>
  )
}

const rateOf = (dashboard: Dashboard | undefined) => {
  if (!dashboard) return { value: '-' }
  const { total_visits: total, completed_visits: completed } = dashboard.today
  return { value: completionRate(completed, total), unit: text.percent }
}

function Completed({ dashboard: { today } }: Known) {
  const values = {
    completed: <b>{counted(today.completed_visits)}</b>,
    total: <b>{counted(today.total_visits)}</b>,
  }
  return <Filled message={text.completed} values={values} />
}

const rangeOf = ({ from, to }: { from: string; to: string }) =>
  fill(text.peakRange, { from: hourOfDay(hourIn(from)), to: hourOfDay(hourIn(to)) })

function MeasuredPeak({ dashboard }: Known) {
  const { peak_hours: peak, arrivals_by_hour: arrivals } = dashboard.measured
  return (
    <>
      <PeakChart arrivals={arrivals} peak={peak} />
      {peak ? (
        <>
          {basisOf(dashboard)} <b>{rangeOf(peak)}</b>
        </>
      ) : (
        text.nothingMeasured
      )}
    </>
  )
}

type FigureProps = {
  title: string
  value: string | number
  unit?: string
  note?: string
  wide?: boolean
  children: ReactNode
}

function Figure({ title, value, unit, note, wide = false, children }: FigureProps) {
  return (
    <section className={wide ? 'figure figure-wide' : 'figure'} aria-label={title}>
      <h2>{title}</h2>
      <p className="figure-value">
        {value}
        {unit ? <small>{unit}</small> : null}
      </p>
      {note ? <p className="small-line">{note}</p> : null}
      <div className="figure-measured">{children}</div>
    </section>
  )
}
