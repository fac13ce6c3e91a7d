import { messages as adminMessages } from '@/admin-messages'
import type { AuditRecord } from '@/api/types'
import { isLanguage } from '@/language'
import { languages } from '@/locales/languages'
import { counted } from '@/messages'
import { messages } from '@/staff-messages'

const text = adminMessages.auditRecords.trail
const names: Partial<Record<string, string>> = adminMessages.trailFields

/** The words for values, by field name. They do not depend on the kind of record. */
const statuses: Partial<Record<string, string>> = messages.problems.words
const roles: Partial<Record<string, string>> = adminMessages.trailRoles
const words: Partial<Record<string, Partial<Record<string, string>>>> = {
  status: statuses,
  stage: statuses,
  role: roles,
  senderRole: roles,
  target_roles: roles,
}

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
      field: nameOf(field),
      before: shown(field, before[field], reading),
      after: shown(field, after[field], reading),
    }))
}

/** A field's name; for a language's code, the name of the language. A field without a name is shown as stored. */
const nameOf = (field: string) => names[field] ?? (isLanguage(field) ? languages[field].name : field)

function shown(field: string, value: unknown, reading: Reading): string {
  if (isEmpty(value)) return text.nothing
  if (typeof value === 'boolean') return value ? text.yes : text.no
  if (typeof value === 'number') return counted(value)
  if (typeof value === 'string') return shownText(field, value, reading)
  if (Array.isArray(value)) return value.map((one) => shown(field, one, reading)).join(', ')
  return Object.entries(value ?? {})
    .map(([inner, content]) => `${nameOf(inner)}: ${shown(inner, content, reading)}`)
    .join(', ')
}

const shownText = (field: string, value: string, reading: Reading) =>
  words[field]?.[value] ?? reading.names.get(value) ?? (isTimestamp(value) ? reading.timestamp(value) : value)
