import { useMutation } from '@tanstack/react-query'
import { Button } from 'antd'
import { Suspense, useState } from 'react'
import { Link } from 'react-router'
import { chunk } from '@/chunk'
import type { Language } from '@/locales/languages'
import { fill, locale } from '@/messages'
import { messages } from '@/staff-messages'
import { Icon } from '@/ui/icon'
import { OfficeWords, ServiceName } from '@/ui/office-words'
import { Panel } from '@/ui/panel'
import { Records, type Column } from '@/ui/records'
import type { Service } from './models'
import { formOf, saveService } from './mutations'
import { MissingHome, MissingNames, MissingNotice, type HomeWords, type Notice } from './translations'
import './tables.css'

const ServiceDialog = chunk(async () => (await import('./service-dialog')).ServiceDialog)

const text = messages.directory.services

type Props = {
  /** Undefined while they load. */
  services: readonly Service[] | undefined
  /** The address of a service's figures. */
  pageOf: (id: string) => string
  /** The languages that the office offers. */
  languages: readonly Language[]
  /** The office document. */
  office: HomeWords & { notice: Notice }
}

export function ServicesTable({ services, pageOf, languages, office }: Props) {
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
          onToggle={() => save.mutate({ service, form: formOf(service), active: !service.active })}
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
      <MissingNotice notice={office.notice} offered={languages} />
      <MissingHome office={office} offered={languages} />
      <Records
        label={text.title}
        columns={columns}
        rows={services ?? []}
        rowKey={({ id }) => id}
        empty={text.empty}
        loading={services ? undefined : messages.visits.loading}
      />
      {edited ? (
        <Suspense fallback={null}>
          <ServiceDialog
            service={edited === 'new' ? null : edited}
            languages={languages}
            onClose={() => setEdited(null)}
          />
        </Suspense>
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
