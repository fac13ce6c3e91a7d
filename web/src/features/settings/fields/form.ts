import { createContext, use } from 'react'
import type { Value } from '@/features/settings/data/document'
import { valueAt, withValueAt, type Pointer } from '@/features/settings/data/pointer'

/** What the fields of a section's form share. */
export type SectionForm = {
  value: Value
  /** Prefix of the ids of the fields. */
  id: string
  /** Whether the settings are only shown, because they are in the office's file. */
  readOnly: boolean
  /** The languages that are offered to visitors. */
  offered: readonly string[]
  /** Sentences about invalid settings, by JSON pointer. */
  errors: Readonly<Record<string, string>>
  change: (value: Value) => void
}

export const FormContext = createContext<SectionForm | null>(null)

export function useSectionForm(): SectionForm {
  const form = use(FormContext)
  if (!form) throw new Error('a field of the settings needs a form around it')
  return form
}

/** The id of the field of a value. Blanks, such as those of a certification, would end an id in a list of ids. */
export const idAt = (prefix: string, at: Pointer) =>
  `${prefix}${at.replaceAll('/', '-').replaceAll(/\s/g, '%20')}`

/** A setting of the form's section, and what its control needs. */
export function useSetting(at: Pointer) {
  const { value, id, readOnly, errors, change } = useSectionForm()
  return {
    value: valueAt(value, at),
    set: (next: unknown) => change(withValueAt(value, at, next)),
    error: errors[at],
    readOnly,
    id: idAt(id, at),
  }
}

/** The list at a pointer, and functions that change its entries. */
export function useList<Entry>(at: Pointer) {
  const { value, set, readOnly } = useSetting(at)
  const entries = (Array.isArray(value) ? value : []) as Entry[]
  return {
    entries,
    readOnly,
    set,
    add: (entry: Entry) => set([...entries, entry]),
    remove: (index: number) => set(entries.filter((_entry, other) => other !== index)),
    move: (index: number, by: -1 | 1) => set(moved(entries, index, by)),
  }
}

function moved<Entry>(entries: readonly Entry[], index: number, by: -1 | 1): Entry[] {
  const [entry] = entries.slice(index, index + 1)
  if (entry === undefined) return [...entries]
  return entries.filter((_entry, other) => other !== index).toSpliced(index + by, 0, entry)
}
