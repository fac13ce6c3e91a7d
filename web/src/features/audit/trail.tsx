import { useQuery } from '@tanstack/react-query'
import { Button, Input, Select } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { useState, type SubmitEvent } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { messages as adminMessages } from '@/admin-messages'
import type { AuditEntity } from '@/api/types'
import { inBackground } from '@/in-background'
import { messages } from '@/staff-messages'
import { clearable } from '@/ui/clearable'
import { Field } from '@/ui/field'
import { LoadAgain } from '@/ui/load-again'
import { Pages } from '@/ui/pages'
import { Panel } from '@/ui/panel'
import { useIsPhone } from '@/ui/use-is-phone'
import { Choices } from './choices'
import { DayField } from './day-field'
import { dayOf } from './days'
import { trailPageSize, trailQuery, type TrailFilters, type TrailRequest } from './queries'
import { entities, requestOf, searchOf, type TrailState } from './trail-address'
import { TrailTable } from './trail-table'
import './trail.css'

const text = adminMessages.auditRecords.trail
const views = adminMessages.trailWords.views

type Props = { names: ReadonlyMap<string, string> }

/**
 * The audit trail. Its filters are in the address and in the state of the history entry, so that a reload and Back show
 * the same records.
 */
export function AuditTrail({ names }: Props) {
  const [search, setSearch] = useSearchParams()
  const location = useLocation()
  const request = requestOf(search, location.state as TrailState)
  const { data, isFetching, isLoading, isLoadingError, refetch } = useQuery(trailQuery(request))
  const phone = useIsPhone()
  const missing = isLoadingError ? (
    <LoadAgain text={messages.audit.trailFailed} onRetry={() => inBackground(refetch())} />
  ) : null

  const show = (next: TrailRequest) => {
    const address = searchOf(search, next)
    const same = address.toString() === search.toString() && next.q === request?.q
    if (same) inBackground(refetch())
    else setSearch(address, { state: next.q ? { q: next.q } : null })
  }

  return (
    <Panel untitled title={messages.admin.tabs.audit} className="trail">
      <Views
        shown={request}
        onChoose={(entity) => show({ ...keptFor(entity, request), ...(entity ? { entity } : {}), page: 1 })}
      />
      <Filters
        key={location.key}
        loaded={request}
        busy={isFetching}
        onLoad={(filters) => show({ ...filters, page: 1 })}
      />
      <TrailTable
        records={data?.audit_records ?? []}
        names={names}
        missing={missing}
        loading={isLoading}
        onOnly={(entity, entityId) => show({ entity, entityId, page: 1 })}
      />
      {request && data && data.pagination.pages > 1 ? (
        <div className="trail-pages">
          <Pages
            current={request.page}
            pageSize={trailPageSize}
            total={data.pagination.total}
            // A phone has no room for page numbers.
            {...(phone ? { simple: { readOnly: true } } : {})}
            onChange={(page) => show({ ...request, page })}
          />
        </div>
      ) : null}
    </Panel>
  )
}

const quick = ['visit', 'session', 'audit'] as const

type View = (typeof quick)[number] | 'all'

/** The filters that stay when the kind of record changes. The search text finds records of visits only. */
const keptFor = (entity: AuditEntity | undefined, request: TrailRequest | null): TrailFilters => ({
  ...(request?.start ? { start: request.start } : {}),
  ...(request?.end ? { end: request.end } : {}),
  ...(request?.q && (entity === undefined || entity === 'visit') ? { q: request.q } : {}),
})

type ViewsProps = { shown: TrailRequest | null; onChoose: (entity: AuditEntity | undefined) => void }

/** Buttons for the kinds of records that are viewed most often. */
function Views({ shown, onChoose }: ViewsProps) {
  const all = { key: 'all' as const, name: views.all }
  return (
    <div className="trail-views">
      <Choices<View>
        label={views.label}
        options={[...quick.map((key) => ({ key, name: views[key] })), all]}
        chosen={shown ? chosenOf(shown.entity) : 'visit'}
        onChoose={(key) => onChoose(key === 'all' ? undefined : key)}
      />
    </div>
  )
}

/** The pressed button; null for a kind of records without a button. */
const chosenOf = (entity: AuditEntity | undefined): View | null =>
  entity === undefined ? 'all' : (quick.find((one) => one === entity) ?? null)

type FiltersProps = {
  loaded: TrailRequest | null
  busy: boolean
  onLoad: (filters: TrailFilters) => void
}

/** The maximum number of characters of the search text. */
const longestText = 100

const dayjsOf = (day: string | undefined) => (day ? dayjs(day) : null)

function Filters({ loaded, busy, onLoad }: FiltersProps) {
  const [start, setStart] = useState<Dayjs | null>(dayjsOf(loaded?.start))
  const [end, setEnd] = useState<Dayjs | null>(dayjsOf(loaded?.end))
  const [entity, setEntity] = useState(loaded ? loaded.entity : 'visit')
  const [entityId, setEntityId] = useState(loaded?.entityId ?? '')
  const [typed, setTyped] = useState(loaded?.q ?? '')

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const [id, q] = [entityId.trim(), typed.trim()]
    onLoad({
      ...dayOf('start', start),
      ...dayOf('end', end),
      ...(entity ? { entity } : {}),
      ...(id ? { entityId: id } : {}),
      ...(q ? { q } : {}),
    })
  }

  return (
    <form className="trail-filters" onSubmit={submit}>
      <DayField id="trail-start" label={text.start} value={start} onChange={setStart} />
      <DayField id="trail-end" label={text.end} value={end} onChange={setEnd} />
      <Field label={text.entity} htmlFor="trail-entity">
        <Select
          id="trail-entity"
          allowClear={clearable}
          placeholder={text.entityAll}
          options={entities.map((value) => ({ value, label: adminMessages.trailWords.entities[value] }))}
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
      <Field label={text.q} htmlFor="trail-q">
        <Input
          id="trail-q"
          maxLength={longestText}
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </Field>
      <Button type="primary" htmlType="submit" disabled={busy}>
        {busy ? text.loading : text.load}
      </Button>
    </form>
  )
}
