import { Form, Input, Radio } from 'antd'
import { useState, type KeyboardEvent } from 'react'
import type { VisitRef } from '@/features/visits/data/intent'
import { longestNotes } from '@/features/visits/data/rules'
import { ActionDialog, forgetDialog } from '@/features/visits/parts/action-dialog'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { Kbd } from '@/ui/shortcuts'

const text = messages.visits.pending
const name = 'deny'
const reasons = ['papers', 'service', 'day', 'other'] as const

type Values = { reason: (typeof reasons)[number]; other?: string }
type Props = { visit: VisitRef; onDeny: (reason: string) => void; onClose: () => void }

/**
 * Asks for the reason of a denial that has no note, because reception has to explain the denial. No reason is
 * preselected, so Enter alone does not deny.
 */
export function DenyDialog({ visit, onDeny, onClose }: Props) {
  const [form] = Form.useForm<Values>()
  // The form restores a kept reason, but reports a new choice a moment late. `chosen` has the choice at once, for an
  // Enter right after the digit.
  const kept = Form.useWatch('reason', form)
  const [chosen, setChosen] = useState<Values['reason']>()
  const reason = chosen ?? kept
  return (
    <ActionDialog<Values>
      name={name}
      title={fill(text.denyOf, { token: visit.token })}
      submit={text.deny}
      form={form}
      disabled={!reason}
      pending={false}
      about={visit.id}
      danger
      onChange={() => setChosen(form.getFieldsValue().reason)}
      onSubmit={({ reason: sent, other = '' }) => {
        forgetDialog(name, visit.id)
        onDeny(sent === 'other' ? other.trim() : text.denyReasons[sent])
      }}
      onClose={() => {
        forgetDialog(name, visit.id)
        onClose()
      }}
    >
      <p className="action-dialog-hint">{text.denyHint}</p>
      <div role="presentation" onKeyDown={chooseByDigit}>
        <Form.Item name="reason" label={text.denyReason}>
          <Radio.Group>
            {reasons.map((value, index) => (
              <Radio key={value} value={value} autoFocus={index === 0} aria-keyshortcuts={String(index + 1)}>
                {value === 'other' ? text.denyOther : text.denyReasons[value]}
                <span aria-hidden="true">
                  <Kbd>{String(index + 1)}</Kbd>
                </span>
              </Radio>
            ))}
          </Radio.Group>
        </Form.Item>
      </div>
      {reason === 'other' ? (
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

/** The digits choose among the reasons, as the arrow keys do. */
function chooseByDigit(event: KeyboardEvent<HTMLElement>) {
  if (event.ctrlKey || event.altKey || event.metaKey || !/^[1-4]$/.test(event.key)) return
  const radios = event.currentTarget.querySelectorAll<HTMLInputElement>('input[type="radio"]')
  const radio = radios[Number(event.key) - 1]
  event.preventDefault()
  radio?.focus()
  radio?.click()
}
