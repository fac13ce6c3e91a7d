import { useQuery } from '@tanstack/react-query'
import { Button, DatePicker, Input, Pagination, Select } from 'antd'
import type { Dayjs } from 'dayjs'
import { useState, type SubmitEvent } from 'react'
import type { AuditEntity } from '@/api/types'
import { messages } from '@/messages'
import { Field } from '@/ui/field'
import { Panel } from '@/ui/panel'
import { dayOf, shownDay } from './days'
import { trailPageSize, trailQuery, type TrailFilters, type TrailRequest } from './queries'
import { TrailTable } from './trail-table'
import './trail.css'

const text = messages.audit.trail

/** Who did what, for the filters that stood when the button was pressed. */
export function AuditTrail() {
  const [request, setRequest] = useState<TrailRequest | null>(null)
  const { data, isFetching } = useQuery(trailQuery(request))
  const load = (filters: TrailFilters) =>
    setRequest((before) => ({ ...filters, page: 1, press: (before?.press ?? 0) + 1 }))

  return (
    <Panel untitled title={messages.admin.tabs.audit} className="trail">
      <Filters busy={isFetching} onLoad={load} />
      <TrailTable records={data?.audit_records ?? []} />
      {request && data && data.pagination.pages > 1 ? (
        <div className="trail-pages">
          <Pagination
            current={request.page}
            pageSize={trailPageSize}
            total={data.pagination.total}
            showSizeChanger={false}
            onChange={(page) => setRequest({ ...request, page })}
          />
        </div>
      ) : null}
    </Panel>
  )
}

const entities: AuditEntity[] = [
  'visit',
  'user',
  'session',
  'service',
  'consultant',
  'appointment',
  'notification',
]

function Filters({ busy, onLoad }: { busy: boolean; onLoad: (filters: TrailFilters) => void }) {
  const [start, setStart] = useState<Dayjs | null>(null)
  const [end, setEnd] = useState<Dayjs | null>(null)
  const [entity, setEntity] = useState<AuditEntity>()
  const [entityId, setEntityId] = useState('')

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const id = entityId.trim()
    onLoad({
      ...dayOf('start', start),
      ...dayOf('end', end),
      ...(entity ? { entity } : {}),
      ...(id ? { entityId: id } : {}),
    })
  }

  return (
    <form className="trail-filters" onSubmit={submit}>
      <Field label={text.start} htmlFor="trail-start">
        <DatePicker
          id="trail-start"
          format={shownDay}
          placeholder={text.start}
          value={start}
          onChange={setStart}
        />
      </Field>
      <Field label={text.end} htmlFor="trail-end">
        <DatePicker id="trail-end" format={shownDay} placeholder={text.end} value={end} onChange={setEnd} />
      </Field>
      <Field label={text.entity} htmlFor="trail-entity">
        <Select
          id="trail-entity"
          allowClear
          placeholder={text.entityAll}
          options={entities.map((value) => ({ value, label: value }))}
          {...(entity ? { value: entity } : {})}
          onChange={(value: AuditEntity | undefined) => setEntity(value)}
        />
      </Field>
      <Field label={text.entityId} htmlFor="trail-entity-id">
        <Input
          id="trail-entity-id"
          placeholder={text.entityId}
          value={entityId}
          onChange={(event) => setEntityId(event.target.value)}
        />
      </Field>
      <Button type="primary" htmlType="submit" disabled={busy}>
        {busy ? text.loading : text.load}
      </Button>
    </form>
  )
}
