import { useMutation } from '@tanstack/react-query'
import { Button, Form, Input, Select, type InputRef } from 'antd'
import { useRef, type KeyboardEvent } from 'react'
import { Fault } from '@/api/fault'
import { newIdempotencyKey } from '@/api/idempotency-key'
import type { Visit } from '@/api/types'
import { fill, messages } from '@/messages'
import { Icon, type IconName } from '@/ui/icon'
import { Panel, PanelBody } from '@/ui/panel'
import { createVisit, type NewVisit } from './mutations'
import { longestName, longestNotes, nameRules, phoneRules, serviceRules } from './rules'
import './visit-form.css'

export type ServiceChoice = { id: string; name: string; estimatedTime: number; icon: IconName }

type Props = {
  services: readonly ServiceChoice[]
  loading: boolean
  onCreated: (visit: Visit) => void
}

const text = messages.visits.form

/** Registers a walk-in visitor: name, phone, service, Enter; then the cursor waits in Visitor Name again. */
export function VisitForm({ services, loading, onCreated }: Props) {
  const [form] = Form.useForm<NewVisit>()
  const nameInput = useRef<InputRef>(null)
  const submission = useRef<{ of: string; key: string }>(undefined)
  const create = useMutation(createVisit)

  const submit = (visit: NewVisit) => {
    if (create.isPending) return
    const of = JSON.stringify(visit)
    // The same content after a failure is the same intention: its key makes sure of one token.
    if (submission.current?.of !== of) submission.current = { of, key: newIdempotencyKey() }
    create.mutate(
      { visit, key: submission.current.key },
      {
        onSuccess: (created) => {
          submission.current = undefined
          form.resetFields()
          nameInput.current?.focus()
          onCreated(created)
        },
        onError: (error) => form.setFields(refusedFields(error)),
      },
    )
  }

  return (
    <Panel title={text.title}>
      <PanelBody>
        <Form<NewVisit>
          form={form}
          className="visit-form"
          layout="vertical"
          requiredMark={false}
          scrollToFirstError={{ focus: true }}
          onFinish={submit}
        >
          <Form.Item name="name" label={text.name} rules={nameRules} validateTrigger="onSubmit">
            <Input ref={nameInput} size="large" maxLength={longestName} autoComplete="off" autoFocus />
          </Form.Item>
          <Form.Item name="phone" label={text.phone} rules={phoneRules} validateTrigger="onSubmit">
            <Input
              size="large"
              type="tel"
              inputMode="numeric"
              autoComplete="off"
              prefix={<span className="visit-form-prefix">+91</span>}
            />
          </Form.Item>
          <Form.Item name="serviceId" label={text.service} rules={serviceRules}>
            <ServiceSelect services={services} loading={loading} />
          </Form.Item>
          <Form.Item name="notes" label={text.notes}>
            <Input.TextArea rows={2} maxLength={longestNotes} onKeyDown={onCtrlEnter(form.submit)} />
          </Form.Item>
          <Button type="primary" size="large" block htmlType="submit" disabled={create.isPending}>
            {create.isPending ? text.submitting : text.submit}
          </Button>
        </Form>
      </PanelBody>
    </Panel>
  )
}

type SelectProps = {
  services: readonly ServiceChoice[]
  loading: boolean
  id?: string
  value?: string
  onChange?: (id: string) => void
}

function ServiceSelect({ services, loading, ...field }: SelectProps) {
  const options = services.map(({ id, name, estimatedTime, icon }) => ({
    value: id,
    label: name,
    minutes: fill(messages.visits.minutes, { minutes: estimatedTime }),
    icon,
  }))
  return (
    <Select
      {...field}
      size="large"
      loading={loading}
      placeholder={text.chooseService}
      options={options}
      showSearch={{ optionFilterProp: 'label' }}
      listHeight={360}
      optionRender={({ data }) => <ServiceOption name={data.label} minutes={data.minutes} icon={data.icon} />}
      labelRender={({ value }) => {
        const chosen = options.find((option) => option.value === value)
        return chosen ? <ServiceOption name={chosen.label} minutes={chosen.minutes} /> : null
      }}
    />
  )
}

function ServiceOption({ name, minutes, icon }: { name: string; minutes: string; icon?: IconName }) {
  return (
    <span className="service-option">
      {icon ? <Icon name={icon} size={18} /> : null}
      <span>{name}</span>
      <em>{minutes}</em>
    </span>
  )
}

/** Enter in the notes is a new line; with Ctrl or Cmd it sends the form. */
const onCtrlEnter = (submit: () => void) => (event: KeyboardEvent) => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit()
}

/** What the server says about single fields stands under them. */
function refusedFields(error: Error) {
  const names = {
    name: 'name',
    phone: 'phone',
    service_id: 'serviceId',
    serviceId: 'serviceId',
    notes: 'notes',
  } as const
  const sentences = error instanceof Fault ? error.fields : {}
  return Object.entries(names)
    .filter(([sent]) => sentences[sent] !== undefined)
    .map(([sent, name]) => ({ name, errors: [sentences[sent] ?? ''] }))
}
