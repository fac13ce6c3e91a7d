import { messages } from '@/admin-messages'
import type { Channel } from '@/api/types'
import { messages as staff } from '@/staff-messages'
import { Panel, PanelBody } from '@/ui/panel'
import { Records, type Column } from '@/ui/records'

const text = messages.visitorPages.messages
const { channels } = staff.visitorLink.told

const number = (key: 'sent' | 'failed' | 'unknown' | 'dropped' | 'waiting' | 'visits'): Column<Channel> => ({
  key,
  title: text[key],
  align: 'right',
  entry: 'titled',
  render: (row) => row[key],
})

const columns: Column<Channel>[] = [
  {
    key: 'channel',
    title: text.channel,
    entry: 'lead',
    render: ({ channel, paused }) => (
      <>
        {channels[channel]}
        {paused ? <p>{text.paused}</p> : null}
      </>
    ),
  },
  number('sent'),
  number('failed'),
  number('unknown'),
  number('dropped'),
  number('waiting'),
  number('visits'),
]

type Props = { state: { on: boolean; channels: readonly Channel[] } | undefined }

/** Notifications to visitors in the last 24 hours, by channel. */
export function MessagesPanel({ state }: Props) {
  return (
    <Panel title={text.title}>
      <PanelBody>
        <p>{state?.on === false ? text.off : text.period}</p>
      </PanelBody>
      <Records
        label={text.title}
        columns={columns}
        rows={state?.channels ?? []}
        rowKey={({ channel }) => channel}
        empty={text.empty}
        loading={state ? undefined : text.loading}
      />
    </Panel>
  )
}
