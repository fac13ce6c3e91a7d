import { useQuery } from '@tanstack/react-query'
import { Form, Input } from 'antd'
import { useAct } from '@/features/visits/data/act'
import type { VisitRef } from '@/features/visits/data/intent'
import { desksQuery } from '@/features/visits/data/queries'
import { longestCounter } from '@/features/visits/data/rules'
import { ConsultantField } from '@/features/visits/parts/consultant-field'
import { ActionDialog } from '@/features/visits/parts/action-dialog'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'

const text = messages.life.choose

type Values = { consultant: string; counter?: string }
type Props = { visit: VisitRef; to: 'call' | 'pin'; onClose: () => void }

/** Chooses the consultant for whom a visitor is called, or for whom the visitor waits. */
export function ChooseDialog({ visit, to, onClose }: Props) {
  const [form] = Form.useForm<Values>()
  const { data: desks } = useQuery(desksQuery)
  const chosen = Form.useWatch('consultant', form)
  const desk = desks?.find(({ consultantId }) => consultantId === chosen)
  const asksForNumber = to === 'call' && desk?.counterRequired === true && !desk.counter
  const { act, pending, error } = useAct()
  const title = to === 'call' ? text.callTitle : text.pinTitle
  return (
    <ActionDialog<Values>
      name={to}
      title={fill(title, { token: visit.token })}
      submit={to === 'call' ? text.call : text.pin}
      form={form}
      pending={pending}
      error={error}
      about={visit.id}
      onSubmit={({ consultant, counter }) => {
        const body = {
          consultant_id: consultant,
          ...(asksForNumber && counter ? { counter: counter.trim() } : {}),
        }
        act(visit, { action: to, body }, { onSuccess: onClose })
      }}
      onClose={onClose}
    >
      {to === 'pin' ? <p className="action-dialog-hint">{text.pinHint}</p> : null}
      <ConsultantField label={text.consultant} required={text.required} autoFocus />
      {asksForNumber ? (
        <Form.Item
          name="counter"
          label={messages.life.desk.counter}
          rules={[{ required: true, whitespace: true, message: messages.life.desk.numberRequired }]}
        >
          <Input maxLength={longestCounter} autoComplete="off" />
        </Form.Item>
      ) : null}
    </ActionDialog>
  )
}
