import { useMutation, useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
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
 * admin. The input is a draft of the tab. Settings of a file have no input.
 */
export function useEditor(section: SectionKey, { sections, mode }: Settings) {
  const current = sections[section]
  const { draft, keep, forget, settle } = useSectionDraft(section)
  // A draft can also be newer than the answer: the answer that follows a save may still be on its way.
  const stale = draft !== undefined && draft.base.version < current.version
  const conflict = stale ? differences(draft, current.value) : []
  // The input has been saved, or another admin has made the same change.
  const moot = stale && conflict.length === 0
  const own = moot || mode === 'file' ? undefined : draft
  useEffect(() => {
    if (moot) forget()
  }, [moot, forget])

  const save = useMutation({
    ...saveSection,
    // An option is also called after the form has closed, and while the admin types on.
    onSuccess: (saved, sent, onMutateResult, context) => {
      settle(sent, saved.sectionVersion)
      return saveSection.onSuccess?.(saved, sent, onMutateResult, context)
    },
  })
  const refused = fieldsOf(save.error)
  const { preview, rejected, failed, checking } = usePreview(section, own?.value)

  const change = (value: Value) => {
    if (!save.isPending) save.reset()
    const base = own?.base ?? { version: current.version, value: current.value }
    // While a save is under way, the old value is a change too.
    if (areSame(value, base.value) && !save.isPending) forget()
    else keep({ base, value })
  }
  const send = (value: Value, version: number) => save.mutate({ section, value, version })
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
      if (!own) return
      const { version, value: theirs } = current
      const value = merged(own, theirs)
      keep({ base: { version, value: theirs }, value })
      send(value, version)
    },
  }
}

export type Editor = ReturnType<typeof useEditor>

function useSectionDraft(section: SectionKey) {
  const stored = useDraft(draftName(section))
  const [draft, setDraft] = useState(() => draftOf(stored.text()))
  const keep = (next: Draft) => {
    stored.keep(JSON.stringify(next))
    setDraft(next)
  }
  const forget = useCallback(() => {
    stored.forget()
    setDraft(undefined)
  }, [stored])
  /** Ends the draft that was saved. Input that was typed since is based on the saved value. */
  const settle = (saved: { value: Value; version: number }, version: number) => {
    const later = (known: Draft | undefined): Draft | undefined =>
      known && !areSame(known.value, saved.value)
        ? { base: { version, value: saved.value }, value: known.value }
        : undefined
    const next = later(draftOf(stored.text()))
    if (next) stored.keep(JSON.stringify(next))
    else stored.forget()
    // The form shows a draft that was saved until it has the saved value, and then forgets it.
    setDraft((known) => later(known) ?? (version === saved.version ? undefined : known))
  }
  return { draft, keep, forget, settle }
}

const draftOf = (text: string) => (text === '' ? undefined : (JSON.parse(text) as Draft))

/** The preview of the input after a pause, and the errors of its settings. */
function usePreview(section: SectionKey, value: Value | undefined) {
  const text = value && canonical(value)
  const settled = useSettled(text, previewAfterMs)
  const asked = settled === undefined ? undefined : (JSON.parse(settled) as Value)
  const { data, error, isFetching } = useQuery(previewQuery(section, asked))
  return {
    // The data of a query without a value are those of an earlier input.
    preview: error || settled === undefined ? undefined : data,
    rejected: fieldsOf(error),
    failed: error !== null && Object.keys(fieldsOf(error)).length === 0,
    checking: isFetching || settled !== text,
  }
}

const fieldsOf = (error: Error | null) => (error instanceof Fault ? error.fields : {})
