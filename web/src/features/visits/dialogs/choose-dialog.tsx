import { Form } from 'antd'
import { useAct } from '@/features/visits/data/act'
import type { VisitRef } from '@/features/visits/data/intent'
import { ConsultantField } from '@/features/visits/parts/consultant-field'
import { ActionDialog } from '@/features/visits/parts/action-dialog'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'

const text = messages.life.choose

type Props = { visit: VisitRef; to: 'call' | 'pin'; onClose: () => void }

/** Chooses the consultant for whom a visitor is called, or for whom the visitor waits. */
export function ChooseDialog({ visit, to, onClose }: Props) {
  const [form] = Form.useForm<{ consultant: string }>()
  const { act, pending, error } = useAct()
  const title = to === 'call' ? text.callTitle : text.pinTitle
  return (
    <ActionDialog<{ consultant: string }>
      name={to}
      title={fill(title, { token: visit.token })}
      submit={to === 'call' ? text.call : text.pin}
      form={form}
      pending={pending}
      error={error}
      about={visit.id}
      onSubmit={({ consultant }) =>
        act(visit, { action: to, body: { consultant_id: consultant } }, { onSuccess: onClose })
      }
      onClose={onClose}
    >
      {to === 'pin' ? <p className="action-dialog-hint">{text.pinHint}</p> : null}
      <ConsultantField label={text.consultant} required={text.required} autoFocus />
    </ActionDialog>
  )
}
