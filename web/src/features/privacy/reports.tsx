import { useQuery } from '@tanstack/react-query'
import { DatePicker } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { useState } from 'react'
import { messages } from '@/admin-messages'
import type { Bodies } from '@/api/types'
import { languages } from '@/locales/languages'
import { counted, fill } from '@/messages'
import { Field } from '@/ui/field'
import { useOfficeTime } from '@/ui/office-time'
import { Panel, PanelBody } from '@/ui/panel'
import { Records, TwoLines, type Column } from '@/ui/records'
import { missingIn, type Notice } from './missing-languages'
import { nightQuery, noticesQuery, usesQuery } from './queries'

const text = messages.privacy

type Version = Bodies['NoticesAnswer']['notices'][number]

/** The versions of the privacy notice, and the languages in which the present version is missing. */
export function Notices({ notice }: { notice: Notice }) {
  const { data } = useQuery(noticesQuery)
  const time = useOfficeTime()
  const missing = missingIn(notice)
  const columns: Column<Version>[] = [
    { key: 'version', title: text.notices.version, entry: 'lead', render: ({ version }) => version },
    {
      key: 'visits',
      title: text.notices.visits,
      align: 'right',
      entry: 'end',
      render: ({ visits }) => visits,
    },
    { key: 'first', title: text.notices.from, entry: 'titled', render: ({ first }) => time.day(first) },
    { key: 'last', title: text.notices.to, entry: 'titled', render: ({ last }) => time.day(last) },
  ]
  return (
    <Panel title={text.notices.title}>
      <PanelBody>
        <p>{fill(text.notices.current, { version: notice.version })}</p>
        <p>
          {missing.length === 0
            ? text.notices.whole
            : fill(text.notices.missing, {
                languages: missing.map((name) => languages[name].name).join(', '),
              })}
        </p>
      </PanelBody>
      <Records
        label={text.notices.title}
        columns={columns}
        rows={data ?? []}
        rowKey={({ version }) => version}
        empty={text.notices.empty}
        loading={data ? undefined : text.loading}
      />
    </Panel>
  )
}

/** What is erased, by the name of the task. A task that is missing here is shown by its stored name. */
const tasks: Partial<Record<string, string>> = text.night.tasks

type Night = Bodies['RetentionAnswer']['services'][number]

export function LastNight() {
  const { data } = useQuery(nightQuery)
  const time = useOfficeTime()
  const columns: Column<Night>[] = [
    {
      key: 'service',
      title: text.night.service,
      width: 130,
      entry: 'lead',
      render: ({ service }) => service,
    },
    {
      key: 'ended',
      title: text.night.ended,
      width: 150,
      entry: 'end',
      render: ({ night, answered }) =>
        night ? (
          <TwoLines first={time.day(night.finishedAt)} second={time.time(night.finishedAt)} />
        ) : answered ? (
          text.night.none
        ) : (
          text.night.unanswered
        ),
    },
    {
      key: 'older',
      title: text.night.olderThan,
      width: 150,
      entry: 'titled',
      render: ({ night }) => (night ? time.day(night.olderThan) : null),
    },
    {
      key: 'erased',
      title: text.night.erased,
      entry: 'titled',
      render: ({ night }) =>
        night
          ? Object.entries(night.erased)
              .map(([task, rows]) => `${tasks[task] ?? task}: ${counted(rows)}`)
              .join(', ')
          : null,
    },
  ]
  return (
    <Panel title={text.night.title}>
      <PanelBody>
        <p>{text.night.hint}</p>
      </PanelBody>
      <Records
        label={text.night.title}
        columns={columns}
        rows={data ?? []}
        rowKey={({ service }) => service}
        empty={text.night.none}
        loading={data ? undefined : text.loading}
      />
    </Panel>
  )
}

type Use = Bodies['UsesAnswer']['uses'][number]

const calls: Partial<Record<string, string>> = text.uses.calls

const useColumns = (dayOf: (day: string) => string): Column<Use>[] => [
  { key: 'day', title: text.uses.day, width: 150, entry: 'end', render: ({ day }) => dayOf(day) },
  {
    key: 'person',
    title: text.uses.person,
    entry: 'lead',
    render: ({ name, userId, role }) => (role === 'operator' ? text.uses.operator : name || userId),
  },
  { key: 'call', title: text.uses.call, entry: 'titled', render: ({ call }) => calls[call] ?? call },
  { key: 'times', title: text.uses.times, align: 'right', entry: 'titled', render: ({ times }) => times },
  {
    key: 'records',
    title: text.uses.records,
    align: 'right',
    entry: 'titled',
    render: ({ records }) => records,
  },
]

const daysBefore = 6
const shownDay = 'D MMM YYYY'
const asText = (day: Dayjs) => day.format('YYYY-MM-DD')

/** How often each user read or exported personal data, by day. */
export function Uses() {
  const time = useOfficeTime()
  const [from, setFrom] = useState<Dayjs | null>(() => dayjs(time.today()).subtract(daysBefore, 'day'))
  const [to, setTo] = useState<Dayjs | null>(() => dayjs(time.today()))
  const known = from !== null && to !== null
  const { data } = useQuery({
    ...usesQuery(from ? asText(from) : '', to ? asText(to) : ''),
    enabled: known,
  })
  return (
    <Panel title={text.uses.title}>
      <PanelBody>
        <p>{text.uses.hint}</p>
        <div className="privacy-days">
          <Field label={text.uses.from} htmlFor="uses-from">
            <DatePicker id="uses-from" format={shownDay} value={from} onChange={setFrom} />
          </Field>
          <Field label={text.uses.to} htmlFor="uses-to">
            <DatePicker id="uses-to" format={shownDay} value={to} onChange={setTo} />
          </Field>
        </div>
      </PanelBody>
      <Records
        label={text.uses.title}
        columns={useColumns(time.dayOf)}
        rows={data ?? []}
        rowKey={({ day, userId, call }) => `${day} ${userId} ${call}`}
        empty={text.uses.empty}
        fixedHeight
        loading={data || !known ? undefined : text.loading}
      />
    </Panel>
  )
}
