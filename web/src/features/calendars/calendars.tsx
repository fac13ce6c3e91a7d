import { useMutation, useQuery } from '@tanstack/react-query'
import { Button, Popconfirm, Select } from 'antd'
import { useId, useState, type ReactNode } from 'react'
import type { CalendarFeed, Consultant } from '@/api/types'
import { inBackground } from '@/in-background'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { LinkField } from '@/ui/link-field'
import { LoadAgain } from '@/ui/load-again'
import { useOfficeTime, type OfficeTime } from '@/ui/office-time'
import { Panel, PanelBody } from '@/ui/panel'
import { Records, type Column } from '@/ui/records'
import { calendarsQuery, makeCalendar, revokeCalendar } from './queries'
import './calendars.css'

const text = messages.calendars

const ofOffice = ''

type Owner = Pick<Consultant, 'id' | 'name'>

/** The addresses of the calendars of the office and of its consultants, for an admin. */
export function OfficeCalendars({ consultants }: { consultants: readonly Owner[] }) {
  const [owner, setOwner] = useState(ofOffice)
  const id = useId()
  const options = [
    { value: ofOffice, label: text.office },
    ...consultants.map(({ id: value, name: label }) => ({ value, label })),
  ]
  return (
    <Calendars owner={owner === ofOffice ? null : owner}>
      <label htmlFor={id}>{text.of}</label>
      <Select
        id={id}
        options={options}
        value={owner}
        popupMatchSelectWidth={false}
        onChange={(chosen) => setOwner(chosen)}
      />
    </Calendars>
  )
}

/** The addresses of a consultant's own calendar. `consultant` is the signed-in consultant's id. */
export function OwnCalendars({ consultant }: { consultant: string }) {
  return <Calendars owner={consultant} />
}

type Props = {
  /** Whose address is made: a consultant's id, or null for the office. */
  owner: string | null
  /** The choice of the owner, before the button. */
  children?: ReactNode
}

function Calendars({ owner, children }: Props) {
  const calendars = useQuery(calendarsQuery)
  const make = useMutation(makeCalendar)
  const time = useOfficeTime()
  const { data } = calendars
  return (
    <Panel title={text.title} count={data?.length}>
      <PanelBody>
        <p>{text.hint}</p>
        <div className="calendar-make">
          {children}
          <Button loading={make.isPending} onClick={() => make.mutate(owner)}>
            {text.make}
          </Button>
        </div>
        {make.data?.url ? <Made key={make.data.id} url={make.data.url} onDone={make.reset} /> : null}
      </PanelBody>
      {data === undefined && calendars.isError ? (
        <LoadAgain text={text.loadFailed} onRetry={() => inBackground(calendars.refetch())} />
      ) : (
        <Records
          label={text.title}
          columns={columnsOf(time)}
          rows={data ?? []}
          rowKey={({ id }) => id}
          empty={text.empty}
          loading={data ? undefined : text.loading}
        />
      )}
    </Panel>
  )
}

/** The new address. Programs for calendars open a link with the scheme webcal. */
function Made({ url, onDone }: { url: string; onDone: () => void }) {
  const { href } = new URL(url, location.origin)
  return (
    <section className="calendar-made" aria-label={text.title}>
      <p>{text.once}</p>
      <LinkField url={href} autoFocus />
      <div className="calendar-make">
        <a href={href.replace(/^https?:/, 'webcal:')}>{text.add}</a>
        <Button onClick={onDone}>{text.done}</Button>
      </div>
    </section>
  )
}

const nameOf = ({ consultant }: CalendarFeed) => consultant?.name ?? text.office

const whenOf = (timestamp: string, time: OfficeTime) =>
  fill(text.at, { day: time.day(timestamp), time: time.time(timestamp) })

const columnsOf = (time: OfficeTime): Column<CalendarFeed>[] => [
  { key: 'of', title: text.of, entry: 'lead', render: (calendar) => <b>{nameOf(calendar)}</b> },
  {
    key: 'made',
    title: text.made,
    width: 220,
    entry: 'titled',
    render: ({ createdAt }) => whenOf(createdAt, time),
  },
  {
    key: 'read',
    title: text.read,
    width: 220,
    entry: 'titled',
    render: ({ readAt }) => (readAt === null ? text.never : whenOf(readAt, time)),
  },
  {
    key: 'actions',
    title: text.actions,
    width: 160,
    entry: 'line',
    render: (calendar) => <Revoke calendar={calendar} day={time.day(calendar.createdAt)} />,
  },
]

function Revoke({ calendar, day }: { calendar: CalendarFeed; day: string }) {
  const revoke = useMutation(revokeCalendar)
  return (
    <Popconfirm
      title={text.revokeTitle}
      description={text.revokeText}
      okText={text.revoke}
      onConfirm={() => revoke.mutate(calendar.id)}
    >
      <Button
        size="small"
        disabled={revoke.isPending}
        aria-label={fill(text.revokeOf, { name: nameOf(calendar), day })}
      >
        {text.revoke}
      </Button>
    </Popconfirm>
  )
}
