import { Form, Input, Radio } from 'antd'
import type { HoldReason } from '@/api/types'
import { serverNow } from '@/clock'
import { useAct } from '@/features/visits/data/act'
import type { VisitRef } from '@/features/visits/data/intent'
import { laterToday, timeIn } from '@/features/visits/data/later-today'
import { ActionDialog } from '@/features/visits/parts/action-dialog'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'

const text = messages.life.hold
const reasons: readonly HoldReason[] = ['papers', 'payment', 'person', 'late', 'other']
const longestNote = 500

type Values = { reason: HoldReason; until?: string; note?: string }
type Props = { visit: VisitRef; timeZone: string; onClose: () => void }

export function HoldDialog({ visit, timeZone, onClose }: Props) {
  const [form] = Form.useForm<Values>()
  const { act, pending, error } = useAct()
  const late = Form.useWatch('reason', form) === 'late'
  const momentOf = (time: string) => laterToday(time, serverNow(), timeZone)
  const submit = ({ reason, until = '', note = '' }: Values) => {
    const moment = reason === 'late' ? momentOf(until) : undefined
    const body = { reason, ...(note.trim() ? { note } : {}), ...(moment ? { until: moment } : {}) }
    act(visit, { action: 'hold', body }, { onSuccess: onClose })
  }
  return (
    <ActionDialog<Values>
      name="hold"
      title={fill(text.title, { token: visit.token })}
      submit={text.submit}
      form={form}
      values={{ reason: 'papers', until: timeIn(30, serverNow(), timeZone) }}
      pending={pending}
      error={error}
      about={visit.id}
      onSubmit={submit}
      onClose={onClose}
    >
      <Form.Item name="reason" label={text.reason}>
        <Radio.Group>
          {reasons.map((value, index) => (
            <Radio key={value} value={value} autoFocus={index === 0}>
              {text.reasons[value]}
            </Radio>
          ))}
        </Radio.Group>
      </Form.Item>
      {late ? (
        <Form.Item
          name="until"
          label={text.until}
          rules={[
            {
              validator: (_rule, time: string) =>
                momentOf(time) ? Promise.resolve() : Promise.reject(new Error(text.untilRequired)),
            },
          ]}
        >
          <Input type="time" />
        </Form.Item>
      ) : null}
      <Form.Item name="note" label={text.note}>
        <Input maxLength={longestNote} autoComplete="off" />
      </Form.Item>
    </ActionDialog>
  )
}
