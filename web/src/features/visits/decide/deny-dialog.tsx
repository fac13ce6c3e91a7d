import { Form, Input, Radio } from 'antd'
import type { VisitRef } from '@/features/visits/data/intent'
import { longestNotes } from '@/features/visits/data/rules'
import { ActionDialog, forgetDialog } from '@/features/visits/parts/action-dialog'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'

const text = messages.visits.pending
const name = 'deny'
const reasons = ['papers', 'service', 'day'] as const

type Values = { reason: (typeof reasons)[number] | 'other'; other?: string }
type Props = { visit: VisitRef; onDeny: (reason: string) => void; onClose: () => void }

/** Asks for the reason of a denial without a note: reception has to explain it. */
export function DenyDialog({ visit, onDeny, onClose }: Props) {
  const [form] = Form.useForm<Values>()
  const isOther = Form.useWatch('reason', form) === 'other'
  return (
    <ActionDialog<Values>
      name={name}
      title={fill(text.denyOf, { token: visit.token })}
      submit={text.deny}
      form={form}
      values={{ reason: 'papers' }}
      pending={false}
      about={visit.id}
      danger
      onSubmit={({ reason, other = '' }) => {
        forgetDialog(name, visit.id)
        onDeny(reason === 'other' ? other.trim() : text.denyReasons[reason])
      }}
      onClose={() => {
        forgetDialog(name, visit.id)
        onClose()
      }}
    >
      <p className="action-dialog-hint">{text.denyHint}</p>
      <Form.Item name="reason" label={text.denyReason}>
        <Radio.Group>
          {reasons.map((value, index) => (
            <Radio key={value} value={value} autoFocus={index === 0}>
              {text.denyReasons[value]}
            </Radio>
          ))}
          <Radio value="other">{text.denyOther}</Radio>
        </Radio.Group>
      </Form.Item>
      {isOther ? (
        <Form.Item
          name="other"
          rules={[{ required: true, whitespace: true, message: text.denyOtherRequired }]}
        >
          <Input aria-label={text.denyOther} maxLength={longestNotes} autoComplete="off" autoFocus />
        </Form.Item>
      ) : null}
    </ActionDialog>
  )
}
