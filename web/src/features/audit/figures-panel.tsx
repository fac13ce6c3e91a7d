import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Figures, Tally } from '@/api/types'
import { inBackground } from '@/in-background'
import { counted, fill } from '@/messages'
import { messages } from '@/staff-messages'
import { LoadAgain } from '@/ui/load-again'
import { useOfficeTime } from '@/ui/office-time'
import { ServiceName } from '@/ui/office-words'
import { Panel, PanelBody } from '@/ui/panel'
import { Records, type Column } from '@/ui/records'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { Stats } from '@/ui/stats'
import { DaysChart } from './days-chart'
import { barsOf, type Period } from './period'
import { figuresQuery, type Subject } from './queries'
import './figures-panel.css'

const text = messages.audit.figures

type Props = {
  subject: Subject
  period: Period
  /** The address of the page of a related consultant or service. */
  partnerPage: (id: string) => string
}

export function FiguresPanel({ subject, period, partnerPage }: Props) {
  const { data, isError, refetch } = useQuery(figuresQuery(subject, period))
  if (!data && isError)
    return (
      <Panel title={text.byDay}>
        <LoadAgain text={text.failed} onRetry={() => inBackground(refetch())} />
      </Panel>
    )
  if (!data) return <FiguresSkeleton />
  const { totals, days, partners } = data
  const partner = subject.kind === 'consultant' ? text.services : text.consultants
  return (
    <div className="figures">
      <Stats
        items={[
          { label: text.visits, value: counted(totals.total_visits) },
          { label: text.completed, value: counted(totals.completed_visits) },
          { label: text.wait, ...minutesOf(totals.avg_wait_minutes, totals.longest_wait_minutes) },
          { label: text.session, ...minutesOf(totals.avg_session_minutes, totals.longest_session_minutes) },
        ]}
      />
      <p className="figures-rest">{restOf(totals)}</p>
      <Panel title={text.byDay}>
        <PanelBody>
          <DaysChart bars={barsOf(period, days)} />
        </PanelBody>
      </Panel>
      <Panel title={partner.title} count={partners.length}>
        <Records
          label={partner.title}
          columns={[partnerColumn(partner.column, partnerPage), ...tallyColumns]}
          rows={partners}
          rowKey={({ id }) => id}
          empty={text.none}
        />
      </Panel>
      <Days days={days} />
    </div>
  )
}

function FiguresSkeleton() {
  const kept = { value: undefined, note: '\u00a0' }
  return (
    <div className="figures">
      <Stats
        items={[
          { label: text.visits, value: undefined },
          { label: text.completed, value: undefined },
          { label: text.wait, ...kept },
          { label: text.session, ...kept },
        ]}
      />
      <Panel title={text.byDay}>
        <PanelBody>
          <SkeletonRows label={text.loading} rows={1}>
            <i className="blank blank-control days-blank" />
          </SkeletonRows>
        </PanelBody>
      </Panel>
    </div>
  )
}

/** The days with visits as a table, newest first. */
function Days({ days }: Pick<Figures, 'days'>) {
  const time = useOfficeTime()
  const day: Column<Figures['days'][number]> = {
    key: 'day',
    title: text.day,
    entry: 'lead',
    render: (one) => <b>{time.dayOf(one.day)}</b>,
  }
  return (
    <Panel title={text.dayByDay} count={days.length}>
      <Records
        label={text.dayByDay}
        columns={[day, ...tallyColumns]}
        rows={days.toReversed()}
        rowKey={(one) => one.day}
        empty={text.none}
      />
    </Panel>
  )
}

const minutesOf = (average: number | null, longest: number | null) =>
  average === null
    ? { value: text.unmeasured }
    : {
        value: counted(Math.round(average)),
        unit: text.minutes,
        note: longest === null ? undefined : fill(text.longest, { minutes: counted(Math.round(longest)) }),
      }

/** The counts of the statuses that have no tile, as a text. */
function restOf(tally: Tally): string {
  const parts = [
    [tally.new_visits, text.rest.new],
    [tally.approved_visits, text.rest.approved],
    [tally.in_session_visits, text.rest.inSession],
    [tally.denied_visits, text.rest.denied],
  ] as const
  return parts
    .filter(([count]) => count > 0)
    .map(([count, label]) => fill(label, { count: counted(count) }))
    .join(', ')
}

const partnerColumn = (title: string, page: (id: string) => string): Column<Figures['partners'][number]> => ({
  key: 'name',
  title,
  entry: 'lead',
  render: ({ id, name }) => (
    <Link className="record-link" to={page(id)}>
      <ServiceName of={{ id, name }} />
    </Link>
  ),
})

const minutes = (value: number | null) =>
  value === null ? text.unmeasured : fill(messages.visits.minutes, { minutes: counted(Math.round(value)) })

const tallyColumns: Column<Tally>[] = [
  {
    key: 'visits',
    title: text.visits,
    width: 110,
    align: 'right',
    entry: 'titled',
    render: (one) => counted(one.total_visits),
  },
  {
    key: 'completed',
    title: text.completed,
    width: 130,
    align: 'right',
    entry: 'titled',
    render: (one) => counted(one.completed_visits),
  },
  {
    key: 'wait',
    title: text.wait,
    width: 150,
    align: 'right',
    entry: 'titled',
    render: (one) => minutes(one.avg_wait_minutes),
  },
  {
    key: 'session',
    title: text.session,
    width: 170,
    align: 'right',
    entry: 'titled',
    render: (one) => minutes(one.avg_session_minutes),
  },
]
