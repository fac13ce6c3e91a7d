import { messages } from '@/admin-messages'
import type { Comparison } from '@/api/types'
import { counted, fill } from '@/messages'
import { Empty } from '@/ui/empty'
import { ServiceName, useServiceNames } from '@/ui/office-words'
import { Panel } from '@/ui/panel'
import { Stats } from '@/ui/stats'
import { hourOfDay } from '@/ui/time-of-day'
import { HeatMap } from './heat-map'
import { Bars, Lines } from './report-charts'
import { CsvButton, ReportPanel, type ReportRow } from './report-panel'
import {
  arrivalRows,
  averageOf,
  hourRows,
  loadRows,
  outcomeRows,
  serviceRows,
  sessionRows,
  shareText,
} from './report-rows'
import './report.css'

const text = messages.reports

const [strong, weak, far] = ['var(--b-neel)', 'var(--b-ink2)', 'var(--b-margin)']
const quantiles = [
  { key: 'p50', name: text.p50, colour: strong },
  { key: 'p80', name: text.p80, colour: weak, dash: '6 3' },
  { key: 'p95', name: text.p95, colour: far, dash: '2 3' },
]
const waitHeads = [text.visits, text.p50, text.p80, text.p95, text.p80Before]

const pointOf = ({ p50, p80, p95 }: Comparison['period']['waits'], name: string) => ({ name, p50, p80, p95 })

type Props = {
  comparison: Comparison
  /** The estimated minutes by the service's id. */
  estimates: ReadonlyMap<string, number>
  /** The names of the days from Monday. */
  days: readonly string[]
}

/** The figures of a period and of the previous one: totals, then charts and tables with CSV files. */
export function Report({ comparison: { period: now, before }, estimates, days }: Props) {
  const nameOf = useServiceNames()
  const services = now.services.map((service) => ({ ...service, name: nameOf(service) }))
  const file = (name: string) => `${name}_${now.start}_${now.end}`
  const hours = now.arrivals.flatMap((day) => day.flatMap((count, hour) => (count > 0 ? [hour] : [])))
  const shown = Array.from({ length: 24 }, (_, hour) => hour).filter(
    (hour) => hours.length > 0 && hour >= Math.min(...hours) && hour <= Math.max(...hours),
  )
  return (
    <>
      <Totals now={now} before={before} />
      <Panel
        title={text.arrivals}
        className="report-panel"
        extra={
          <CsvButton
            title={text.arrivals}
            table={arrivalRows(days, shown, now.arrivals)}
            file={file('arrivals')}
          />
        }
      >
        {shown.length > 0 ? (
          <HeatMap days={days} hours={shown} arrivals={now.arrivals} />
        ) : (
          <Empty text={text.none} />
        )}
      </Panel>
      <ReportPanel
        title={text.waitByHour}
        heads={[text.hour, ...waitHeads]}
        rows={hourRows(now, before)}
        file={file('wait_by_hour')}
      >
        <Lines points={now.hours.map((one) => pointOf(one.waits, hourOfDay(one.hour)))} series={quantiles} />
      </ReportPanel>
      <ReportPanel
        title={text.waitByService}
        heads={[text.service, ...waitHeads, text.long]}
        rows={serviceRows(services, before)}
        lead={leadOf}
        file={file('wait_by_service')}
      >
        <Bars points={services.map((one) => pointOf(one.waits, one.name))} series={quantiles} />
      </ReportPanel>
      <ReportPanel
        title={text.sessions}
        heads={[text.service, text.average, text.estimate, text.averageBefore]}
        rows={sessionRows(services, before, estimates)}
        lead={leadOf}
        file={file('sessions')}
      >
        <Bars
          points={services.map((one) => ({
            name: one.name,
            average: averageOf(one),
            estimate: estimates.get(one.id) ?? null,
          }))}
          series={[
            { key: 'average', name: text.average, colour: strong },
            { key: 'estimate', name: text.estimate, colour: weak },
          ]}
        />
      </ReportPanel>
      <ReportPanel
        title={text.load}
        heads={[text.consultant, text.visits, text.visitsBefore, text.sessionHours]}
        rows={loadRows(now, before)}
        file={file('consultants')}
      >
        <Bars
          points={now.consultants.map(({ id, name, visits }) => ({
            name,
            visits,
            before: before.consultants.find((one) => one.id === id)?.visits ?? 0,
          }))}
          series={[
            { key: 'visits', name: text.period, colour: strong },
            { key: 'before', name: text.periodBefore, colour: weak },
          ]}
        />
      </ReportPanel>
      <ReportPanel
        title={text.outcomes}
        heads={[text.outcome, text.period, text.periodBefore]}
        rows={outcomeRows(now, before)}
        file={file('outcomes')}
      />
    </>
  )
}

const leadOf = ({ key, cells: [name = ''] }: ReportRow) => <ServiceName of={{ id: key, name }} />

function Totals({ now, before }: { now: Comparison['period']; before: Comparison['before'] }) {
  const note = (value: string) => fill(text.before, { value })
  const long = ({ waits }: Comparison['period']) => shareText(waits.over_30, waits.visits)
  return (
    <Stats
      items={[
        {
          label: text.visits,
          value: counted(now.outcomes.total),
          note: note(counted(before.outcomes.total)),
        },
        { label: text.long, value: long(now), note: note(long(before)) },
        {
          label: text.denied,
          value: counted(now.outcomes.denied),
          note: note(counted(before.outcomes.denied)),
        },
        { label: text.left, value: counted(now.outcomes.left), note: note(counted(before.outcomes.left)) },
      ]}
    />
  )
}
