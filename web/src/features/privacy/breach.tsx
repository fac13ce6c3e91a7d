import { useMutation } from '@tanstack/react-query'
import { Button, DatePicker, Form, Input } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { useEffect, useState } from 'react'
import { messages } from '@/admin-messages'
import { serverNow } from '@/clock'
import { showRejectedFields } from '@/api/rejected-fields'
import { fill } from '@/messages'
import { useOfficeTime } from '@/ui/office-time'
import { Panel, PanelBody } from '@/ui/panel'
import { makeKit } from './mutations'

const text = messages.privacy.breach
const longestText = 500
const shownDay = 'D MMM YYYY'
const required = [{ required: true, message: text.needed }]

type Values = { from: Dayjs; to: Dayjs; noticed_at: Dayjs; what: string }

/** Creates the files for notifying persons and authorities after a breach, and shows the deadlines. */
export function Breach() {
  const [form] = Form.useForm<Values>()
  const noticed = Form.useWatch('noticed_at', form) as Dayjs | null | undefined
  const { mutate, isPending, data: persons } = useMutation(makeKit)
  const send = (values: Values) =>
    mutate(
      {
        from: values.from.format('YYYY-MM-DD'),
        to: values.to.format('YYYY-MM-DD'),
        noticed_at: values.noticed_at.toISOString(),
        what: values.what,
      },
      {
        onError: (error) => showRejectedFields(form, error),
      },
    )
  return (
    <Panel title={text.title}>
      <PanelBody>
        <p>{text.hint}</p>
        <Form<Values>
          name="privacy-breach"
          form={form}
          layout="vertical"
          requiredMark={false}
          className="privacy-form"
          initialValues={{ noticed_at: dayjs(serverNow()) }}
          onFinish={send}
        >
          <div className="privacy-days">
            <Form.Item name="from" label={messages.privacy.uses.from} rules={required}>
              <DatePicker format={shownDay} />
            </Form.Item>
            <Form.Item name="to" label={messages.privacy.uses.to} rules={required}>
              <DatePicker format={shownDay} />
            </Form.Item>
            <Form.Item name="noticed_at" label={text.noticed} rules={required}>
              <DatePicker showTime={{ format: 'HH:mm' }} format={`${shownDay}, HH:mm`} />
            </Form.Item>
          </div>
          <Form.Item
            name="what"
            label={text.what}
            rules={[{ required: true, whitespace: true, message: text.whatRequired }]}
          >
            <Input.TextArea rows={3} maxLength={longestText} />
          </Form.Item>
          <Button htmlType="submit" disabled={isPending}>
            {text.make}
          </Button>
        </Form>
        <p role="status">{statusOf(isPending, persons)}</p>
        {noticed ? <Deadlines noticed={noticed} /> : null}
      </PanelBody>
    </Panel>
  )
}

function statusOf(pending: boolean, persons: number | undefined): string {
  if (pending) return text.making
  return persons === undefined ? '' : fill(text.made, { persons })
}

const limits = [
  { name: text.certIn, hours: 6 },
  { name: text.board, hours: 72 },
]
const minuteMs = 60_000

/** The deadlines of the notifications after a breach, with the time that is left. */
function Deadlines({ noticed }: { noticed: Dayjs }) {
  const time = useOfficeTime()
  const now = useMinute()
  return (
    <ul className="privacy-deadlines">
      <li>{text.persons}</li>
      {limits.map(({ name, hours }) => {
        const due = noticed.add(hours, 'hour')
        const left = Math.ceil((due.valueOf() - now) / minuteMs)
        const at = due.toISOString()
        return (
          <li key={name}>
            {name}: <b>{fill(text.by, { day: time.day(at), time: time.time(at) })}</b>{' '}
            <span className={left > 0 ? undefined : 'privacy-overdue'}>
              {left > 0 ? fill(text.left, { hours: Math.floor(left / 60), minutes: left % 60 }) : text.past}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

/** The server's time, updated each minute. */
function useMinute() {
  const [now, setNow] = useState(() => serverNow().valueOf())
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow().valueOf()), minuteMs)
    return () => clearInterval(timer)
  }, [])
  return now
}
