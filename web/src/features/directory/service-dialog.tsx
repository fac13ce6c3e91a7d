import { useMutation } from '@tanstack/react-query'
import { Form, Input, InputNumber, Select } from 'antd'
import { messages as adminMessages } from '@/admin-messages'
import { useFormDraft } from '@/drafts'
import type { Language } from '@/locales/languages'
import { messages } from '@/staff-messages'
import { FormDialog } from '@/ui/form-dialog'
import { ChecklistFields } from './checklist-fields'
import type { Service } from './models'
import { addService, formOf, saveService, type ServiceForm } from './mutations'
import { TranslationFields } from './translations'

const text = messages.directory.services

const longestName = 80
const longestDescription = 500
const mostMinutes = 480
const groups = Object.entries(adminMessages.dueDates.groups).map(([value, label]) => ({ value, label }))

type Props = {
  /** The service to change; null to add one. */
  service: Service | null
  /** The languages that the office offers. */
  languages: readonly Language[]
  onClose: () => void
}

/** Adds a service, or changes one with its translations and its checklist. */
export function ServiceDialog({ service, languages, onClose }: Props) {
  const [form] = Form.useForm<ServiceForm>()
  const kept = useFormDraft<ServiceForm>(`service/${service?.id ?? 'new'}`)
  const add = useMutation(addService)
  const save = useMutation(saveService)

  const close = () => {
    kept.forget()
    onClose()
  }
  // The keys of papers have no field, so the form's values lack them.
  const whole = (typed: ServiceForm): ServiceForm => ({
    ...typed,
    papers: (form.getFieldsValue(true) as ServiceForm).papers ?? [],
  })
  const submit = (typed: ServiceForm) => {
    const values = whole(typed)
    if (service) save.mutate({ service, form: values, active: service.active }, { onSuccess: close })
    else add.mutate(values, { onSuccess: close })
  }

  return (
    <FormDialog<ServiceForm>
      name="service"
      title={service ? text.editTitle : text.add}
      submit={service ? text.save : text.add}
      form={form}
      values={{
        ...(service ? formOf(service) : { estimatedTime: 30, papers: [] }),
        ...kept.values(),
      }}
      pending={add.isPending || save.isPending}
      onChange={(changed, typed) => kept.keep(changed, whole(typed))}
      onSubmit={submit}
      onClose={close}
    >
      <Form.Item
        name="name"
        label={text.name}
        rules={[{ required: true, whitespace: true, message: text.nameRequired }]}
      >
        <Input maxLength={longestName} autoFocus />
      </Form.Item>
      <Form.Item name="description" label={text.description}>
        <Input.TextArea rows={2} maxLength={longestDescription} />
      </Form.Item>
      <Form.Item
        name="estimatedTime"
        label={text.minutesField}
        rules={[{ required: true, message: text.minutesRequired }]}
      >
        <InputNumber controls={false} min={1} max={mostMinutes} precision={0} />
      </Form.Item>
      <Form.Item name="group" label={text.group}>
        <Select options={groups} placeholder={text.groupByName} />
      </Form.Item>
      <TranslationFields
        offered={languages}
        open={kept.values().texts !== undefined}
        longestName={longestName}
        longestDescription={longestDescription}
      />
      <ChecklistFields offered={languages} />
    </FormDialog>
  )
}
