import { Select } from 'antd'
import { useState } from 'react'
import { messages } from '@/admin-messages'
import type { Demand as Figures, Expected } from '@/api/types'
import { fill } from '@/messages'
import { Empty } from '@/ui/empty'
import { Field } from '@/ui/field'
import { useOfficeTime } from '@/ui/office-time'
import { Panel, PanelBody } from '@/ui/panel'
import { Records, type Column } from '@/ui/records'
import { hourOfDay } from '@/ui/time-of-day'
import { ArrivalsChart } from './arrivals-chart'
import './demand.css'

const text = messages.demand

type Day = Figures['days'][number]

type Props = {
  demand: Figures
  /** The titles of a day's due dates. */
  dueOn: (day: string) => readonly string[]
}

/** The visitors expected in the next 14 days: by day, and by hour of a chosen day. */
export function Demand({ demand: { days, history, early }, dueOn }: Props) {
  const time = useOfficeTime()
  const open = days.filter(({ visitors }) => visitors)
  const [chosen, setChosen] = useState(open[0]?.date)
  const shown = open.find(({ date }) => date === chosen) ?? open[0]
  if (!shown) {
    return (
      <Panel title={text.title}>
        <Empty text={text.none} />
      </Panel>
    )
  }
  const named = (day: string) => `${time.weekdayOf(day)}, ${time.dayOf(day).slice(0, -5)}`
  const dayBars = days.map(({ date, visitors }) => ({ name: time.dayOf(date).slice(0, -5), visitors }))
  const hourBars = shown.hours.map(({ hour, visitors }) => ({ name: hourOfDay(hour), visitors }))
  return (
    <Panel title={text.title}>
      <PanelBody>
        <p>{fill(early ? text.early : text.basis, { days: history })}</p>
        <ArrivalsChart label={labelOf(dayBars)} bars={dayBars} />
        <Field label={text.hoursOf} htmlFor="demand-day">
          <Select
            id="demand-day"
            className="demand-day"
            value={shown.date}
            options={open.map(({ date }) => ({ value: date, label: named(date) }))}
            onChange={setChosen}
          />
        </Field>
        <ArrivalsChart label={labelOf(hourBars)} bars={hourBars} />
      </PanelBody>
      <Records
        label={text.title}
        columns={columnsOf(named, dueOn)}
        rows={days}
        rowKey={({ date }) => date}
        empty={text.none}
      />
    </Panel>
  )
}

type Bars = readonly { name: string; visitors: Expected | null }[]

const rangeOf = ({ from, to }: Expected) => fill(text.range, { from, to })

/** The numbers of a chart in words. */
const labelOf = (bars: Bars) =>
  fill(text.chart, {
    numbers: bars
      .flatMap(({ name, visitors }) => (visitors ? [`${name}: ${rangeOf(visitors)}`] : []))
      .join(', '),
  })

const columnsOf = (named: (day: string) => string, dueOn: Props['dueOn']): Column<Day>[] => [
  { key: 'day', title: text.day, width: 210, entry: 'lead', render: ({ date }) => <b>{named(date)}</b> },
  {
    key: 'expected',
    title: text.expected,
    width: 120,
    align: 'right',
    entry: 'titled',
    render: ({ visitors }) => (visitors ? Math.round(visitors.mean) : null),
  },
  {
    key: 'range',
    title: text.rangeTitle,
    width: 150,
    align: 'right',
    entry: 'titled',
    render: ({ visitors, closed }) => {
      if (visitors) return rangeOf(visitors)
      return closed ? text.closed : text.unknown
    },
  },
  { key: 'due', title: text.due, entry: 'titled', render: ({ date }) => dueOn(date).join(', ') || null },
]
