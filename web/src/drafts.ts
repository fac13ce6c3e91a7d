import { useMemo, useState, useSyncExternalStore } from 'react'
import { sessionStore } from '@/api/session-store'
import { read, remove, tabKeys, write } from '@/storage'

/**
 * What a person has typed and not sent, by the name of its field. It lives as long as the tab, so it outlasts a session
 * that ends and the sign-in after it; nobody else who signs in here gets to see it.
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

/** Forgets everything: who signs out on purpose leaves nothing behind. */
export function forgetDrafts() {
  remove(tabKeys.drafts)
  listeners.forEach((listener) => listener())
}

const currentOwner = () => sessionStore.user()?.id

/** What was typed into a field has reached the server, or is what the server has anyway. */
export const forgetDraft = (name: string) => keep(currentOwner(), name, '')

/** The draft of one field. Its owner stays who opened the field, also when the session is over before a failure comes back. */
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

/** The draft of a whole form: what was typed before, and what is typed now. */
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

/** Every draft whose name begins so, as it changes. */
export function useDrafts(prefix: string) {
  const [owner] = useState(currentOwner)
  const drafts = useSyncExternalStore(subscribe, stored)
  const named = Object.entries(textsOf(owner, drafts)).filter(([name]) => name.startsWith(prefix))
  return named.map(([name, text]) => ({ name, text, forget: () => keep(owner, name, '') }))
}
