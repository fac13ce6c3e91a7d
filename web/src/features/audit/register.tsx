import { messages } from '@/admin-messages'
import type { Register as DayRegister, RegisterEntry } from '@/api/types'
import { useOfficeTime } from '@/ui/office-time'
import { ServiceName } from '@/ui/office-words'
import { Records, type Column } from '@/ui/records'
import { TokenText } from '@/ui/token'

const text = messages.reports.register

/** The visitors of a day by token. The server has reduced names to their first letters. */
export function Register({ register }: { register: DayRegister }) {
  const time = useOfficeTime()
  const at = (key: 'arrivedAt' | 'startedAt' | 'completedAt', title: string): Column<RegisterEntry> => ({
    key,
    title,
    width: 110,
    entry: 'titled',
    render: ({ [key]: moment }) => (moment ? time.time(moment) : null),
  })
  return (
    <Records
      label={text.title}
      columns={[
        {
          key: 'token',
          title: text.token,
          width: 90,
          entry: 'lead',
          render: ({ token, tokenAlso }) => (
            <b>
              <TokenText token={token} also={tokenAlso} />
            </b>
          ),
        },
        at('arrivedAt', text.arrived),
        { key: 'name', title: text.name, entry: 'line', render: ({ name }) => name },
        {
          key: 'service',
          title: text.service,
          entry: 'line',
          render: ({ service }) => <ServiceName of={{ id: service, name: service }} />,
        },
        { key: 'consultant', title: text.consultant, entry: 'line', render: ({ consultant }) => consultant },
        at('startedAt', text.started),
        at('completedAt', text.completed),
      ]}
      rows={register.entries}
      rowKey={({ token }) => token}
      empty={text.none}
    />
  )
}
