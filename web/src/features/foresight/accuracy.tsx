import type { ReactNode } from 'react'
import { messages as adminMessages } from '@/admin-messages'
import type { Accuracy as Figures, Score } from '@/api/types'
import { counted, fill } from '@/messages'
import { messages } from '@/staff-messages'
import { Empty } from '@/ui/empty'
import { ServiceName } from '@/ui/office-words'
import { Panel, PanelBody } from '@/ui/panel'
import { Records, type Column } from '@/ui/records'
import { Stats } from '@/ui/stats'
import { hourOfDay } from '@/ui/time-of-day'
import { CalibrationPlot } from './calibration-plot'
import { RivalsChart } from './rivals-chart'
import { minutesOf, percentOf } from './words'
import './accuracy.css'

const text = adminMessages.accuracy

/** How often forecast ranges were right, the mean error, and whether simpler forecasts were better. */
export function Accuracy({ accuracy }: { accuracy: Figures }) {
  const { total, kinds, services, hours, rivals, calibration } = accuracy
  return (
    <div className="accuracy">
      <Stats
        items={[
          { label: text.right, value: percentOf(total.coverage), note: text.rightNote },
          { label: text.error, value: minutesOf(total.mae) },
          { label: text.late, value: percentOf(total.late5) },
          { label: text.width, value: minutesOf(total.width) },
        ]}
      />
      <p className="accuracy-counts">
        {fill(text.counts, {
          n: counted(total.n),
          atOnce: counted(total.atOnce),
          censored: counted(total.censored),
        })}
      </p>
      <Rivals total={total} rivals={rivals} />
      <Calibration points={calibration} />
      <Scores
        title={text.byService}
        rows={services}
        name={text.service}
        nameOf={({ service }) => service && <ServiceName of={service} />}
        keyOf={({ service }) => service?.id}
      />
      <Scores title={text.byHour} rows={hours} name={text.hour} nameOf={hourName} keyOf={hourName} />
      <Scores title={text.byKind} rows={kinds} name={text.kind} nameOf={kindName} keyOf={kindName} />
    </div>
  )
}

const hourName = ({ hour }: Score) => (hour === null ? undefined : hourOfDay(hour))
const kindName = ({ kind }: Score) => (kind === null ? undefined : text.kinds[kind])

function Rivals({ total, rivals }: Pick<Figures, 'total' | 'rivals'>) {
  const bars = [
    { name: text.rivals.own, mae: total.mae },
    ...rivals.map(({ name, mae }) => ({ name: text.rivals[name], mae })),
  ]
  return (
    <Panel title={text.rivalsTitle}>
      {total.mae === null ? (
        <Empty text={text.notEnough} />
      ) : (
        <PanelBody>
          <RivalsChart bars={bars} />
          <Records
            label={text.rivalsTitle}
            columns={barColumns}
            rows={bars}
            rowKey={({ name }) => name}
            empty={text.notEnough}
          />
        </PanelBody>
      )}
    </Panel>
  )
}

function Calibration({ points }: { points: Figures['calibration'] }) {
  return (
    <Panel title={text.calibrationTitle}>
      {points.length === 0 ? (
        <Empty text={text.notEnough} />
      ) : (
        <PanelBody>
          <p>{text.calibrationText}</p>
          <CalibrationPlot points={points} />
          <Records
            label={text.calibrationTitle}
            columns={pointColumns}
            rows={points}
            rowKey={({ level }) => String(level)}
            empty={text.notEnough}
          />
        </PanelBody>
      )}
    </Panel>
  )
}

type ScoresProps = {
  title: string
  rows: readonly Score[]
  name: string
  nameOf: (score: Score) => ReactNode
  keyOf: (score: Score) => string | undefined
}

function Scores({ title, rows, name, nameOf, keyOf }: ScoresProps) {
  return (
    <Panel title={title} count={rows.length}>
      <Records
        label={title}
        columns={[lead<Score>(name, (score) => nameOf(score) ?? messages.records.nothing), ...scoreColumns]}
        rows={rows}
        rowKey={(score) => keyOf(score) ?? ''}
        empty={text.notEnough}
      />
    </Panel>
  )
}

function lead<T>(title: string, render: (row: T) => ReactNode): Column<T> {
  return { key: 'name', title, entry: 'lead', render: (row) => <b>{render(row)}</b> }
}

function figure<T>(key: string, title: string, render: (row: T) => string): Column<T> {
  return { key, title, width: 130, align: 'right', entry: 'titled', render }
}

const scoreColumns: Column<Score>[] = [
  figure('n', text.visitors, ({ n }) => counted(n)),
  figure('right', text.right, ({ coverage }) => percentOf(coverage)),
  figure('error', text.error, ({ mae }) => minutesOf(mae)),
  figure('bias', text.bias, ({ bias }) => minutesOf(bias)),
  figure('late', text.late, ({ late5 }) => percentOf(late5)),
  figure('width', text.width, ({ width }) => minutesOf(width)),
  figure('censored', text.censored, ({ censored }) => counted(censored)),
]

const barColumns: Column<{ name: string; mae: number | null }>[] = [
  lead(text.forecast, ({ name }) => name),
  figure('mae', text.error, ({ mae }) => minutesOf(mae)),
]

const pointColumns: Column<Figures['calibration'][number]>[] = [
  lead(text.promised, ({ level }) => percentOf(level)),
  figure('share', text.seen, ({ share }) => percentOf(share)),
]
