import { Button, Input, Select } from 'antd'
import type { Visit } from '@/api/types'
import { messages } from '@/staff-messages'
import { clearable } from '@/ui/clearable'
import { Field } from '@/ui/field'
import { useServiceNames } from '@/ui/office-words'
import { choicesOf, type VisitorFilters } from './visitor-filters'
import './visitors-filter-bar.css'

type Props = {
  visits: readonly Visit[]
  filters: VisitorFilters
  onChange: (filters: VisitorFilters) => void
}

const text = messages.visits.table
const { words } = messages.problems
const statuses: Visit['status'][] = ['new', 'approved', 'in-session', 'completed', 'denied']

export function VisitorsFilterBar({ visits, filters, onChange }: Props) {
  const { services, consultants } = choicesOf(visits, useServiceNames())
  const narrowed = Object.values(filters).some(Boolean)
  const choices = [
    { key: 'status', label: text.status, options: statuses.map((value) => ({ value, label: words[value] })) },
    { key: 'service', label: text.service, options: services },
    { key: 'consultant', label: text.consultant, options: consultants },
  ] as const
  return (
    <search className="visitors-filters">
      <Field label={text.search} htmlFor="visitors-search">
        <Input
          id="visitors-search"
          type="search"
          autoComplete="off"
          placeholder={text.searchHint}
          value={filters.search}
          onChange={(event) => onChange({ ...filters, search: event.target.value })}
        />
      </Field>
      {choices.map(({ key, label, options }) => (
        <Field key={key} label={label} htmlFor={`visitors-${key}`}>
          <Select
            id={`visitors-${key}`}
            allowClear={clearable}
            placeholder={text.all}
            options={[...options]}
            value={filters[key] ?? null}
            onChange={(value: string | null | undefined) =>
              onChange({ ...filters, [key]: value ?? undefined })
            }
          />
        </Field>
      ))}
      <Button disabled={!narrowed} onClick={() => onChange({ search: '' })}>
        {text.clear}
      </Button>
    </search>
  )
}
