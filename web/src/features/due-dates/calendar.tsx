import { useMutation } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { messages } from '@/admin-messages'
import { fill } from '@/messages'
import { Icon } from '@/ui/icon'
import { useOfficeTime, type OfficeTime } from '@/ui/office-time'
import { Panel, PanelBody } from '@/ui/panel'
import { Records, TwoLines, type Column } from '@/ui/records'
import { DueDateDialog } from './due-date-dialog'
import { dueName } from '@/ui/due-name'
import { entriesOf, whenOf } from './entries'
import { bodyOf, saveDueDate, type Entry } from './mutations'
import './calendar.css'

const text = messages.dueDates

/** The calendar of due dates, with the dialog that changes it. The days are undefined while they load. */
export function Calendar({ days }: { days: readonly Entry[] | undefined }) {
  const [edited, setEdited] = useState<Entry | 'new' | null>(null)
  const time = useOfficeTime()
  const entries = days && entriesOf(days)
  const columns: Column<Entry>[] = [
    ...factsOf(time),
    {
      key: 'actions',
      title: text.actions,
      width: 270,
      entry: 'line',
      render: (entry) => <Actions entry={entry} onEdit={() => setEdited(entry)} />,
    },
  ]
  return (
    <Panel
      title={text.title}
      count={entries?.length}
      extra={
        <Button type="primary" icon={<Icon name="plus" size={18} />} onClick={() => setEdited('new')}>
          {text.add}
        </Button>
      }
    >
      <PanelBody>
        <p>{text.hint}</p>
      </PanelBody>
      <Records
        label={text.title}
        columns={columns}
        rows={entries ?? []}
        rowKey={({ id }) => id}
        empty={text.empty}
        loading={days ? undefined : text.loading}
      />
      {edited ? (
        <DueDateDialog entry={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      ) : null}
    </Panel>
  )
}

const factsOf = (time: OfficeTime): Column<Entry>[] => [
  {
    key: 'next',
    title: text.next,
    width: 150,
    entry: 'end',
    render: ({ date, moved }) => (
      <TwoLines
        first={time.dayOf(date)}
        second={moved?.to === date ? fill(text.movedFrom, { day: time.dayOf(moved.from) }) : ''}
      />
    ),
  },
  {
    key: 'what',
    title: text.what,
    entry: 'lead',
    render: (entry) => <TwoLines first={dueName(entry.title)} second={whenOf(entry)} />,
  },
  {
    key: 'group',
    title: text.group,
    width: 120,
    entry: 'titled',
    render: ({ group }) => text.groups[group],
  },
  { key: 'source', title: text.source, entry: 'titled', render: ({ source }) => source },
  {
    key: 'checked',
    title: text.checked,
    width: 140,
    entry: 'titled',
    render: (entry) => <TwoLines first={time.dayOf(entry.checkedOn)} second={stateOf(entry)} />,
  },
]

function stateOf({ active, confirmed }: Entry): string {
  if (!active) return text.inactive
  return confirmed ? text.confirmed : text.unconfirmed
}

function Actions({ entry, onEdit }: { entry: Entry; onEdit: () => void }) {
  const save = useMutation(saveDueDate)
  const { active, confirmed } = entry
  const title = dueName(entry.title)
  const change = (more: { active?: boolean }) => save.mutate({ entry, body: { ...bodyOf(entry), ...more } })
  return (
    <span className="row-actions">
      <Button size="small" aria-label={fill(text.editOf, { title })} onClick={onEdit}>
        {text.edit}
      </Button>
      {confirmed ? null : (
        <Button
          size="small"
          disabled={save.isPending}
          aria-label={fill(text.confirmOf, { title })}
          onClick={() => change({})}
        >
          {text.confirm}
        </Button>
      )}
      <Button
        size="small"
        disabled={save.isPending}
        aria-label={fill(active ? text.switchOffOf : text.switchOnOf, { title })}
        onClick={() => change({ active: !active })}
      >
        {active ? text.switchOff : text.switchOn}
      </Button>
    </span>
  )
}
