import { mutationOptions, queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api, payload } from '@/api/client'
import { Fault } from '@/api/fault'
import { sessionStore } from '@/api/session-store'
import type { Visit } from '@/api/types'
import { read, remove, tabKeys, write } from '@/storage'

/**
 * The prefixes of the names of drafts of notes. The rest of a name includes the token, which identifies the
 * visit after it has left the list.
 */
export const notesPrefixes = { decided: 'decision/', completed: 'session/' } as const

type Noted = { id: string; token: string }

/** The draft name of a decision's notes. */
export const notesDraft = ({ id, token }: Noted) => `${notesPrefixes.decided}${id}/${token}`

/** The draft name of session notes that were typed here, kept until the session is completed with them. */
export const sessionDraft = ({ id, token }: Noted) => `${notesPrefixes.completed}${id}/${token}`

type Unsaved = { user: string; visit: string; notes: string }

/** Text typed in this tab that has not reached the server, visible to its author only. */
const unsaved = {
  of(visit: string): string | undefined {
    const kept = parse(read(tabKeys.unsaved))
    return kept?.visit === visit && kept.user === sessionStore.user()?.id ? kept.notes : undefined
  },
  keep(visit: string, notes: string) {
    const user = sessionStore.user()?.id
    if (user) write(tabKeys.unsaved, JSON.stringify({ user, visit, notes } satisfies Unsaved))
  },
  forget: () => remove(tabKeys.unsaved),
}

/** Removes the unsaved notes from this tab, after the session was completed with them. */
export const forgetUnsaved = unsaved.forget

function parse(stored: string | null): Partial<Unsaved> | null {
  try {
    return JSON.parse(stored ?? 'null') as Partial<Unsaved> | null
  } catch {
    return null
  }
}

const retryMs = 3_000
const isRefused = (error: Error) => error instanceof Fault && error.status >= 400 && error.status < 500

/** The saved draft, typed here or in another tab or browser; refetched when the tab gets the focus. */
export const draftQuery = ({ id }: Visit) =>
  queryOptions({
    queryKey: ['session-draft', id],
    queryFn: async ({ signal }) =>
      (await payload(api.GET('/api/visits/{id}/draft', { params: { path: { id } }, signal }))).draft.notes,
    // Retried until the draft is read or the server refuses: typing before that would overwrite the draft.
    retry: (_count, error) => !isRefused(error),
    retryDelay: retryMs,
    refetchOnWindowFocus: 'always',
    gcTime: 0,
  })

/**
 * Requests about a session's notes are sent in sequence: an older text must not arrive last or after the completion.
 */
export const notesInOrder = ({ id }: Visit) => ({ scope: { id: `notes-${id}` } })

const saveDraft = (visit: Visit) =>
  mutationOptions({
    mutationKey: ['visits', 'draft'],
    ...notesInOrder(visit),
    mutationFn: async (notes: string) => {
      const params = { path: { id: visit.id } }
      // The request survives a closed tab.
      await payload(api.PUT('/api/visits/{id}/draft', { params, body: { notes }, keepalive: true }))
    },
    onSuccess: (_answer, notes, _onMutateResult, { client }) => {
      client.setQueryData(draftQuery(visit).queryKey, notes)
      if (unsaved.of(visit.id) === notes) unsaved.forget()
    },
  })

const pauseMs = 500

/**
 * The notes of a session while they are typed. The tab keeps them from the first key on. `saved` is the last text that
 * is known to be on the server. When `ending`, the notes are sent with the completion instead.
 */
export function useDraft(visit: Visit, saved: string, ending: boolean) {
  const [notes, setNotes] = useState(() => unsaved.of(visit.id) ?? saved)
  const [failures, setFailures] = useState(0)
  const { mutate } = useMutation(saveDraft(visit))
  const dirty = notes !== saved
  // A ref changes at once; with state, a timer could save a draft of an ended session before the next render.
  const stopped = useRef(false)

  // The text of another tab replaces the notes if nothing was typed here.
  const [known, setKnown] = useState(saved)
  if (known !== saved) {
    setKnown(saved)
    if (notes === known) setNotes(saved)
  }

  useEffect(() => {
    if (!dirty || ending) return
    const save = () => {
      if (stopped.current) return
      mutate(notes, { onSuccess: () => setFailures(0), onError: () => setFailures((count) => count + 1) })
    }
    const timer = setTimeout(save, failures > 0 ? retryMs : pauseMs)
    window.addEventListener('pagehide', save)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('pagehide', save)
    }
  }, [dirty, ending, notes, failures, mutate])

  return {
    notes,
    state: !dirty ? 'saved' : failures > 0 ? 'failing' : 'typing',
    /** Saves no more drafts: the completion sends the notes. `resume` ends this if the completion fails. */
    stop: () => (stopped.current = true),
    resume: () => (stopped.current = false),
    type: (text: string) => {
      unsaved.keep(visit.id, text)
      setNotes(text)
    },
  } as const
}

/** The saved draft on the server: undefined until it has loaded, empty when there is none or reading it failed. */
export function useSavedDraft(visit: Visit): string | undefined {
  const { data, isError } = useQuery(draftQuery(visit))
  return isError ? (data ?? '') : data
}
