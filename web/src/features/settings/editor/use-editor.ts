import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Fault } from '@/api/fault'
import { differences, merged, type Draft } from '@/features/settings/data/conflict'
import type { SectionKey, Settings, Value } from '@/features/settings/data/document'
import { saveSection } from '@/features/settings/data/mutations'
import { areSame, canonical } from '@/features/settings/data/pointer'
import { previewQuery } from '@/features/settings/data/queries'
import { useDraft } from '@/drafts'
import { useSettled } from './use-settled'

/** The pause after the last key, in milliseconds, after which the preview is asked for. */
const previewAfterMs = 400

/** How the names of the drafts begin, which outlive the session and a change of the language. */
export const draftNames = 'settings/'
export const draftName = (section: SectionKey) => `${draftNames}${section}`

/**
 * The form of a section: its value, the input that is not saved, what it would change, and the conflict with another
 * admin. The input is a draft of the tab.
 */
export function useEditor(section: SectionKey, { sections }: Settings) {
  const current = sections[section]
  const { draft, keep, forget } = useSectionDraft(section)
  const conflict = draft && draft.base.version !== current.version ? differences(draft, current.value) : []
  // Another admin has made the same change, or has undone it.
  const moot = draft !== undefined && draft.base.version !== current.version && conflict.length === 0
  const own = moot ? undefined : draft

  const save = useMutation(saveSection)
  const refused = fieldsOf(save.error)
  const { preview, rejected, failed, checking } = usePreview(section, own?.value)

  const change = (value: Value) => {
    save.reset()
    const base = own?.base ?? { version: current.version, value: current.value }
    if (areSame(value, base.value)) forget()
    else keep({ base, value })
  }
  const send = (value: Value, version: number) =>
    save.mutate({ section, value, version }, { onSuccess: forget })
  return {
    value: own?.value ?? current.value,
    /** The value that the input replaces; undefined without input. */
    before: own?.base.value,
    errors: own ? { ...rejected, ...refused } : {},
    preview: own ? preview : undefined,
    checking,
    /** Whether the preview could not be asked for. */
    failed,
    conflict: own ? conflict : [],
    pending: save.isPending,
    change,
    discard: forget,
    save: () => {
      if (own) send(own.value, own.base.version)
    },
    saveMine: () => {
      if (own) send(merged(own, current.value), current.version)
    },
  }
}

export type Editor = ReturnType<typeof useEditor>

function useSectionDraft(section: SectionKey) {
  const stored = useDraft(draftName(section))
  const [draft, setDraft] = useState(() => draftOf(stored.text()))
  return {
    draft,
    keep: (next: Draft) => {
      stored.keep(JSON.stringify(next))
      setDraft(next)
    },
    forget: () => {
      stored.forget()
      setDraft(undefined)
    },
  }
}

const draftOf = (text: string) => (text === '' ? undefined : (JSON.parse(text) as Draft))

/** The preview of the input after a pause, and the errors of its settings. */
function usePreview(section: SectionKey, value: Value | undefined) {
  const text = value && canonical(value)
  const settled = useSettled(text, previewAfterMs)
  const asked = settled === undefined ? undefined : (JSON.parse(settled) as Value)
  const { data, error, isFetching } = useQuery(previewQuery(section, asked))
  return {
    preview: error ? undefined : data,
    rejected: fieldsOf(error),
    failed: error !== null && Object.keys(fieldsOf(error)).length === 0,
    checking: isFetching || settled !== text,
  }
}

const fieldsOf = (error: Error | null) => (error instanceof Fault ? error.fields : {})
