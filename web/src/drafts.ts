import { useMemo, useState, useSyncExternalStore } from 'react'
import { sessionStore } from '@/api/session-store'
import { read, remove, tabKeys, write } from '@/storage'

/**
 * Unsent input by field name. It is kept until the user signs out or closes the tab. It survives an expired
 * session and the next sign-in. It is visible only to the user who typed it.
 */
type Drafts = { owner: string; texts: Readonly<Record<string, string>> }

const listeners = new Set<() => void>()

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const stored = () => read(tabKeys.drafts)

function textsOf(owner: string | undefined, drafts: string | null): Drafts['texts'] {
  if (owner === undefined || drafts === null) return {}
  try {
    const known = JSON.parse(drafts) as Drafts
    return known.owner === owner ? known.texts : {}
  } catch {
    return {}
  }
}

function keep(owner: string | undefined, name: string, text: string) {
  if (owner === undefined) return
  const others = Object.entries(textsOf(owner, stored())).filter(([known]) => known !== name)
  const drafts: Drafts = {
    owner,
    texts: Object.fromEntries(text === '' ? others : [...others, [name, text]]),
  }
  write(tabKeys.drafts, JSON.stringify(drafts))
  listeners.forEach((listener) => listener())
}

/** Deletes all drafts: an explicit sign-out leaves nothing behind. */
export function forgetDrafts() {
  remove(tabKeys.drafts)
  listeners.forEach((listener) => listener())
}

const currentOwner = () => sessionStore.user()?.id

/** Stores a draft outside of a component. */
export const keepDraft = (name: string, text: string) => keep(currentOwner(), name, text)

/** Deletes a draft whose text has been saved or equals the saved text. */
export const forgetDraft = (name: string) => keep(currentOwner(), name, '')

/** The text of a draft at this moment, without an update when it changes. */
export const draftText = (name: string): string | undefined => textsOf(currentOwner(), stored())[name]

/**
 * The draft of one field. It belongs to the user of the first render, even if text is stored after that
 * user's session has ended.
 */
export function useDraft(name: string) {
  const [owner] = useState(currentOwner)
  return useMemo(
    () => ({
      text: () => textsOf(owner, stored())[name] ?? '',
      keep: (text: string) => keep(owner, name, text),
      forget: () => keep(owner, name, ''),
    }),
    [owner, name],
  )
}

/** The draft of a whole form: the restored values, and a function that stores new ones. */
export function useFormDraft<Values extends object>(name: string) {
  const draft = useDraft(name)
  return useMemo(
    () => ({
      values: () => JSON.parse(draft.text() || '{}') as Partial<Values>,
      keep: (_changed: unknown, typed: Values) =>
        draft.keep(Object.values(typed).some(Boolean) ? JSON.stringify(typed) : ''),
      forget: draft.forget,
    }),
    [draft],
  )
}

/** All drafts with this name prefix, updated when they change. */
export function useDrafts(prefix: string) {
  const [owner] = useState(currentOwner)
  const drafts = useSyncExternalStore(subscribe, stored)
  const named = Object.entries(textsOf(owner, drafts)).filter(([name]) => name.startsWith(prefix))
  return named.map(([name, text]) => ({ name, text, forget: () => keep(owner, name, '') }))
}
