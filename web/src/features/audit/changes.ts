import type { AuditRecord } from '@/api/types'
import { messages } from '@/staff-messages'

const text = messages.audit.trail

export type Change = { field: string; before: string; after: string }

/** Lookup data for the trail: names by id, and the office's time format. */
export type Reading = { names: ReadonlyMap<string, string>; timestamp: (timestamp: string) => string }

const isTimestamp = (value: string) => /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(value)
const isEmpty = (value: unknown) =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** The fields of a record, old and new values as text; fields that are empty on both sides are omitted. */
export function changesOf({ oldValues, newValues }: AuditRecord, reading: Reading): Change[] {
  const [before, after] = [oldValues ?? {}, newValues ?? {}]
  const fields = new Set([...Object.keys(after), ...Object.keys(before)])
  return [...fields]
    .filter((field) => !isEmpty(before[field]) || !isEmpty(after[field]))
    .map((field) => ({
      field: inWords(field),
      before: shown(before[field], reading),
      after: shown(after[field], reading),
    }))
}

/** Formats `sessionNotes` or `session_notes` as Session notes. */
function inWords(field: string): string {
  const words = field
    .replace(/_/g, ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function shown(value: unknown, reading: Reading): string {
  if (isEmpty(value)) return text.nothing
  if (typeof value === 'boolean') return value ? text.yes : text.no
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string')
    return reading.names.get(value) ?? (isTimestamp(value) ? reading.timestamp(value) : value)
  if (Array.isArray(value)) return value.map((one) => shown(one, reading)).join(', ')
  return Object.entries(value ?? {})
    .map(([field, inner]) => `${inWords(field)}: ${shown(inner, reading)}`)
    .join(', ')
}
