import { Form, Input, Select } from 'antd'
import { useAct } from '@/features/visits/data/act'
import type { ServiceChoice } from '@/features/visits/data/action-context'
import type { VisitRef } from '@/features/visits/data/intent'
import { longestNotes } from '@/features/visits/data/rules'
import { anyone, ConsultantField } from '@/features/visits/parts/consultant-field'
import { ActionDialog } from '@/features/visits/parts/action-dialog'
import { fill, locale } from '@/messages'
import { messages } from '@/staff-messages'
import { clearable } from '@/ui/clearable'
import { serviceNameIn } from '@/ui/office-words'
import { searchByWord } from '@/ui/select-search'

const text = messages.life.transfer

type Values = { service?: string; consultant?: string; note?: string }
type Props = {
  visit: VisitRef
  /** The consultant who has the visitor now. */
  from: string | undefined
  services: readonly ServiceChoice[]
  onClose: () => void
}

/** Sends a visitor to another service or consultant. */
export function TransferDialog({ visit, from, services, onClose }: Props) {
  const [form] = Form.useForm<Values>()
  const { act, pending, error } = useAct()
  const submit = ({ service, consultant = anyone, note = '' }: Values) => {
    const body = {
      ...(service ? { service_id: service } : {}),
      consultant_id: consultant === anyone ? null : consultant,
      ...(note.trim() ? { note } : {}),
    }
    act(visit, { action: 'transfer', body }, { onSuccess: onClose })
  }
  return (
    <ActionDialog<Values>
      name="transfer"
      title={fill(text.title, { token: visit.token })}
      submit={text.submit}
      form={form}
      values={{ consultant: anyone }}
      pending={pending}
      error={error}
      about={visit.id}
      onSubmit={submit}
      onClose={onClose}
    >
      <ConsultantField label={text.consultant} anyone={text.anyone} except={from} autoFocus />
      <Form.Item name="service" label={text.service}>
        <Select
          allowClear={clearable}
          showSearch={searchByWord}
          placeholder={text.keepService}
          options={services.map(({ id, name, texts }) => ({
            value: id,
            label: serviceNameIn(locale, name, texts),
          }))}
        />
      </Form.Item>
      <Form.Item name="note" label={text.note}>
        <Input.TextArea rows={2} maxLength={longestNotes} />
      </Form.Item>
    </ActionDialog>
  )
}
