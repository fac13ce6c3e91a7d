import { Form, Input } from 'antd'
import { showRejectedFields } from '@/api/rejected-fields'
import type { Bodies, Visit } from '@/api/types'
import { useAct } from '@/features/visits/data/act'
import type { ServiceChoice } from '@/features/visits/data/action-context'
import { longestName, longestNotes, nameRules, phoneRules, serviceRules } from '@/features/visits/data/rules'
import { ActionDialog } from '@/features/visits/parts/action-dialog'
import { ServiceSelect } from '@/features/visits/parts/service-select'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { tenDigits } from '@/ui/ten-digits'

const text = messages.life.correct
const fields = messages.visits.form

type Values = { name: string; phone: string; serviceId: string; notes: string }
type Props = { visit: Visit; services: readonly ServiceChoice[]; onClose: () => void }

/** Corrects the person, the service or reception's notes of a visit. Only what has changed is sent. */
export function CorrectDialog({ visit, services, onClose }: Props) {
  const [form] = Form.useForm<Values>()
  const { act, pending, error } = useAct()
  const before = valuesOf(visit)
  const typed = Form.useWatch([], form) as Partial<Values> | undefined
  const body = changesOf(before, { ...before, ...typed })
  const nothing = Object.keys(body).length === 0
  const submit = (values: Values) =>
    act(
      visit,
      { action: 'correct', body: changesOf(before, values) },
      { onSuccess: onClose, onError: (error) => showRejectedFields(form, error) },
    )
  return (
    <ActionDialog<Values>
      name="correct"
      title={fill(text.title, { token: visit.token })}
      submit={text.submit}
      form={form}
      values={before}
      pending={pending}
      error={error}
      about={visit.id}
      disabled={nothing}
      onSubmit={submit}
      onClose={onClose}
    >
      <Form.Item name="name" label={fields.name} rules={nameRules}>
        <Input maxLength={longestName} autoComplete="off" autoFocus />
      </Form.Item>
      <Form.Item
        name="phone"
        label={fields.phone}
        normalize={tenDigits}
        rules={isMasked(visit.phone) ? [] : phoneRules}
      >
        <Input type="tel" inputMode="numeric" autoComplete="off" disabled={isMasked(visit.phone)} />
      </Form.Item>
      <Form.Item name="serviceId" label={fields.service} rules={serviceRules}>
        <ServiceSelect services={services} loading={false} onEnter={form.submit} />
      </Form.Item>
      <Form.Item name="notes" label={fields.notes}>
        <Input.TextArea rows={2} maxLength={longestNotes} />
      </Form.Item>
    </ActionDialog>
  )
}

/** A user who sees only a part of a phone number cannot correct it. */
const isMasked = (phone: string) => phone.includes('*')

const valuesOf = ({ name, phone, service, receptionNotes }: Visit): Values => ({
  name,
  phone,
  serviceId: service.id,
  notes: receptionNotes,
})

function changesOf(before: Values, after: Values): Bodies['CorrectVisit'] {
  return {
    ...(after.name === before.name ? {} : { name: after.name }),
    ...(after.phone === before.phone ? {} : { phone: after.phone }),
    ...(after.serviceId === before.serviceId ? {} : { service_id: after.serviceId }),
    ...(after.notes === before.notes ? {} : { notes: after.notes }),
  }
}
