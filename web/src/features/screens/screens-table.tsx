import { useMutation } from '@tanstack/react-query'
import { Button, Popconfirm } from 'antd'
import { useState } from 'react'
import { messages } from '@/admin-messages'
import type { Device } from '@/api/types'
import { serverNow } from '@/clock'
import { fill } from '@/messages'
import { Icon } from '@/ui/icon'
import { useOfficeTime, type OfficeTime } from '@/ui/office-time'
import { Panel, PanelBody } from '@/ui/panel'
import { Records, TwoLines, type Column } from '@/ui/records'
import { removeScreen, stateOf } from './queries'
import { AddScreenDialog, boardAddress, EditScreenDialog } from './screen-dialogs'
import './screens.css'

const text = messages.screens

type Props = {
  /** Undefined while they load. */
  screens: readonly Device[] | undefined
  /** Whether desks can be paired. */
  desks: boolean
}

/** The screens of the waiting room, and the paired desks. */
export function ScreensTable({ screens, desks }: Props) {
  const [edited, setEdited] = useState<Device | 'new' | null>(null)
  const time = useOfficeTime()
  const columns: Column<Device>[] = [
    ...factsOf(time),
    {
      key: 'actions',
      title: text.actions,
      width: 220,
      entry: 'line',
      render: (screen) =>
        screen.revokedAt === null ? <Actions screen={screen} onEdit={() => setEdited(screen)} /> : null,
    },
  ]
  return (
    <Panel
      title={text.title}
      count={screens?.filter(({ revokedAt }) => revokedAt === null).length}
      extra={
        <Button type="primary" icon={<Icon name="plus" size={18} />} onClick={() => setEdited('new')}>
          {text.add}
        </Button>
      }
    >
      <PanelBody>
        <p>{fill(text.hint, { address: boardAddress() })}</p>
      </PanelBody>
      <Records
        label={text.title}
        columns={columns}
        rows={screens ?? []}
        rowKey={({ id }) => id}
        empty={text.empty}
        loading={screens ? undefined : text.loading}
      />
      {edited === 'new' ? <AddScreenDialog desks={desks} onClose={() => setEdited(null)} /> : null}
      {edited !== null && edited !== 'new' ? (
        <EditScreenDialog screen={edited} onClose={() => setEdited(null)} />
      ) : null}
    </Panel>
  )
}

const factsOf = (time: OfficeTime): Column<Device>[] => [
  { key: 'name', title: text.name, entry: 'lead', render: ({ name }) => <b>{name}</b> },
  {
    key: 'state',
    title: text.state,
    width: 240,
    entry: 'end',
    render: (screen) => <State screen={screen} time={time} />,
  },
  {
    key: 'voice',
    title: text.voice,
    entry: 'titled',
    render: (screen) => <Voice screen={screen} time={time} />,
  },
]

function State({ screen, time }: { screen: Device; time: OfficeTime }) {
  const state = stateOf(screen, serverNow())
  const { revokedAt, lastSeenAt } = screen
  if (revokedAt !== null) return fill(text.revoked, { when: time.day(revokedAt) })
  if (state === 'notPaired') return text.notPaired
  const seen = lastSeenAt === null ? '' : fill(text.seen, { when: whenOf(lastSeenAt, time) })
  const silent = lastSeenAt === null ? text.never : text.silent
  return (
    <span className={state === 'silent' ? 'screen-alarm' : undefined}>
      <TwoLines first={state === 'silent' ? silent : text.works} second={seen} />
    </span>
  )
}

/** The time of day, preceded by the day if that is not today. */
function whenOf(timestamp: string, time: OfficeTime): string {
  const today = time.day(new Date(serverNow()).toISOString())
  const day = time.day(timestamp)
  return day === today ? time.time(timestamp) : `${day}, ${time.time(timestamp)}`
}

const voices = { on: text.voiceOn, off: text.voiceOff, blocked: text.voiceBlocked }

function Voice({ screen, time }: { screen: Device; time: OfficeTime }) {
  const { revokedAt, pairedAt, voice, volume, quietFrom, quietUntil, series } = screen
  if (series !== null) return fill(text.series, { series: `${series}-001` })
  if (revokedAt !== null || pairedAt === null) return null
  const quiet =
    quietFrom === null || quietUntil === null
      ? ''
      : `, ${fill(text.quiet, { from: time.timeOf(quietFrom), until: time.timeOf(quietUntil) })}`
  return (
    <span className={voice === 'blocked' ? 'screen-alarm' : undefined}>
      <TwoLines
        first={voice === null ? text.unreported : voices[voice]}
        second={fill(text.volume, { volume }) + quiet}
      />
    </span>
  )
}

function Actions({ screen, onEdit }: { screen: Device; onEdit: () => void }) {
  const remove = useMutation(removeScreen)
  const { id, name } = screen
  return (
    <span className="row-actions">
      <Button size="small" aria-label={fill(text.editOf, { name })} onClick={onEdit}>
        {text.edit}
      </Button>
      <Popconfirm
        title={text.removeTitle}
        description={fill(text.removeText, { name })}
        okText={text.remove}
        onConfirm={() => remove.mutate(id)}
      >
        <Button size="small" disabled={remove.isPending} aria-label={fill(text.removeOf, { name })}>
          {text.remove}
        </Button>
      </Popconfirm>
    </span>
  )
}
