import { useMutation } from '@tanstack/react-query'
import { Button, Form, Input, InputNumber, Modal, Select } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { messages as adminMessages } from '@/admin-messages'
import { useFormDraft } from '@/drafts'
import type { Language } from '@/locales/languages'
import { fill, locale } from '@/messages'
import { messages } from '@/staff-messages'
import { Icon } from '@/ui/icon'
import { OfficeWords, ServiceName } from '@/ui/office-words'
import { Panel } from '@/ui/panel'
import { Records, type Column } from '@/ui/records'
import { useReturnFocus } from '@/ui/use-return-focus'
import type { Service } from './models'
import { addService, saveService, type ServiceForm } from './mutations'
import { MissingNames, TranslationFields } from './translations'
import './tables.css'

const text = messages.directory.services

type Props = {
  /** Undefined while they load. */
  services: readonly Service[] | undefined
  /** The address of a service's figures. */
  pageOf: (id: string) => string
  /** The languages that the office offers. */
  languages: readonly Language[]
}

/** The services, with the dialogs that change them. */
export function ServicesTable({ services, pageOf, languages }: Props) {
  const [edited, setEdited] = useState<Service | 'new' | null>(null)
  const save = useMutation(saveService)
  const columns: Column<Service>[] = [
    nameOf(pageOf, languages),
    ...facts,
    {
      key: 'actions',
      title: text.actions,
      width: 230,
      entry: 'line',
      render: (service) => (
        <Actions
          service={service}
          busy={save.isPending}
          onEdit={() => setEdited(service)}
          onToggle={() => save.mutate({ service, form: service, active: !service.active })}
        />
      ),
    },
  ]

  return (
    <Panel
      title={text.title}
      count={services?.length}
      extra={
        <Button type="primary" icon={<Icon name="plus" size={18} />} onClick={() => setEdited('new')}>
          {text.add}
        </Button>
      }
    >
      <Records
        label={text.title}
        columns={columns}
        rows={services ?? []}
        rowKey={({ id }) => id}
        empty={text.empty}
        loading={services ? undefined : messages.visits.loading}
      />
      {edited ? (
        <ServiceDialog
          service={edited === 'new' ? null : edited}
          languages={languages}
          onClose={() => setEdited(null)}
        />
      ) : null}
    </Panel>
  )
}

const nameOf = (pageOf: Props['pageOf'], offered: Props['languages']): Column<Service> => ({
  key: 'name',
  title: text.name,
  entry: 'lead',
  render: (service) => (
    <span className="service-name">
      <Icon name={service.icon} size={18} />
      <span>
        <Link className="record-link" to={pageOf(service.id)}>
          <ServiceName of={service} />
        </Link>
        <MissingNames service={service} offered={offered} />
      </span>
    </span>
  ),
})

const facts: readonly Column<Service>[] = [
  {
    key: 'description',
    title: text.description,
    entry: 'line',
    render: ({ description, texts }) => (
      <OfficeWords text={description} translation={texts[locale]?.description} />
    ),
  },
  {
    key: 'minutes',
    title: text.minutes,
    width: 110,
    entry: 'titled',
    render: ({ estimatedTime }) => fill(messages.visits.minutes, { minutes: estimatedTime }),
  },
  {
    key: 'status',
    title: text.status,
    width: 120,
    entry: 'end',
    render: (service) => <Activity {...service} />,
  },
]

type ActionsProps = { service: Service; busy: boolean; onEdit: () => void; onToggle: () => void }

function Actions({ service: { name, active }, busy, onEdit, onToggle }: ActionsProps) {
  return (
    <span className="row-actions">
      <Button size="small" aria-label={fill(text.editOf, { name })} onClick={onEdit}>
        {text.edit}
      </Button>
      <Button
        size="small"
        disabled={busy}
        aria-label={fill(active ? text.deactivateOf : text.activateOf, { name })}
        onClick={onToggle}
      >
        {active ? text.deactivate : text.activate}
      </Button>
    </span>
  )
}

function Activity({ active }: { active: boolean }) {
  return (
    <span className={active ? 'activity activity-on' : 'activity'}>
      {active ? text.active : text.inactive}
    </span>
  )
}

const longestName = 80
const longestDescription = 500
const mostMinutes = 480
const groups = Object.entries(adminMessages.dueDates.groups).map(([value, label]) => ({ value, label }))

type DialogProps = Pick<Props, 'languages'> & { service: Service | null; onClose: () => void }

function ServiceDialog({ service, languages, onClose }: DialogProps) {
  useReturnFocus()
  const [form] = Form.useForm<ServiceForm>()
  const kept = useFormDraft<ServiceForm>(`service/${service?.id ?? 'new'}`)
  const add = useMutation(addService)
  const save = useMutation(saveService)

  const close = () => {
    kept.forget()
    onClose()
  }
  const submit = (values: ServiceForm) => {
    if (service) save.mutate({ service, form: values, active: service.active }, { onSuccess: close })
    else add.mutate(values, { onSuccess: close })
  }

  return (
    <Modal
      open
      title={service ? text.editTitle : text.add}
      okText={service ? text.save : text.add}
      confirmLoading={add.isPending || save.isPending}
      onOk={form.submit}
      onCancel={close}
    >
      <Form<ServiceForm>
        name="service"
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={{ ...(service ?? { estimatedTime: 30 }), ...kept.values() }}
        onValuesChange={kept.keep}
        onFinish={submit}
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
          <InputNumber min={1} max={mostMinutes} precision={0} />
        </Form.Item>
        <TranslationFields
          offered={languages}
          open={kept.values().texts !== undefined}
          longestName={longestName}
          longestDescription={longestDescription}
        />
        <Form.Item name="group" label={text.group}>
          <Select options={groups} placeholder={text.groupByName} />
        </Form.Item>
      </Form>
    </Modal>
  )
}
