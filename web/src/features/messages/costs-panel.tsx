import { messages } from '@/admin-messages'
import type { Cost, Costs } from '@/api/types'
import { counted, formatLocaleOf, locale } from '@/messages'
import { messages as staff } from '@/staff-messages'
import { useOfficeTime } from '@/ui/office-time'
import { Panel, PanelBody } from '@/ui/panel'
import { Records, type Column } from '@/ui/records'

const text = messages.visitorPages.costs
const { channel: over, sent } = messages.visitorPages.messages
const { channels } = staff.visitorLink.told

const rupees = new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR' })
const months = new Intl.DateTimeFormat(formatLocaleOf(locale), {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

const columnsOf = (title: string, worded: (period: string) => string): Column<Cost>[] => [
  { key: 'period', title, entry: 'lead', render: ({ period }) => worded(period) },
  { key: 'channel', title: over, entry: 'titled', render: ({ channel }) => channels[channel] },
  { key: 'sent', title: sent, align: 'right', entry: 'titled', render: (row) => counted(row.sent) },
  {
    key: 'cost',
    title: text.cost,
    align: 'right',
    entry: 'titled',
    render: ({ paise }) => rupees.format(paise / 100),
  },
]

const keyOf = ({ period, channel }: Cost) => `${period} ${channel}`

/** The number and the cost of the messages of each channel, by month and by day. */
export function CostsPanel({ costs }: { costs: Costs }) {
  const { dayOf } = useOfficeTime()
  return (
    <Panel title={text.title}>
      <PanelBody>
        <p>{text.hint}</p>
      </PanelBody>
      <Records
        label={text.byMonth}
        columns={columnsOf(text.month, (month) => months.format(new Date(`${month}-01`)))}
        rows={costs.months}
        rowKey={keyOf}
        empty={text.empty}
      />
      {costs.days.length > 0 ? (
        <Records
          label={text.byDay}
          columns={columnsOf(text.day, dayOf)}
          rows={costs.days}
          rowKey={keyOf}
          empty={text.empty}
        />
      ) : null}
    </Panel>
  )
}
