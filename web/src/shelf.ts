import { useSyncExternalStore } from 'react'
import { serverNow } from '@/clock'

/** An entry of the shelf: the success of an action, and for a short time the function that undoes it. */
export type Entry = {
  key: string
  /** Shown first, and announced. */
  text: string
  /** Shown afterwards, while the change can be undone. */
  sentence: string
  /** The end of the entry, in milliseconds by the server's clock; infinite for an entry that its owner removes. */
  until: number
  /** Undoes the change. It rejects after a failure, which is shown as a toast. */
  take?: () => Promise<unknown>
}

/** How long the newest entry shows `text`, and how long a success that cannot be undone is shown, in milliseconds. */
export const freshMs = 2_000
/** The maximum number of entries, which is also the maximum number of toasts. */
export const mostEntries = 20

type Shown = {
  /** Newest first. */
  entries: readonly Entry[]
  /** The key of the entry that shows its text. */
  fresh: string | undefined
}

const nothing: Shown = { entries: [], fresh: undefined }

/** This is not server state: it lists changes made in this tab, for as long as they are shown. */
let shown = nothing
const listeners = new Set<() => void>()

function show(next: Shown) {
  shown = next
  listeners.forEach((listener) => listener())
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Adds an entry. It replaces an earlier entry with the same key. */
export function addEntry(entry: Entry) {
  const { key, until, take } = entry
  const others = shown.entries.filter((other) => other.key !== key)
  show({ entries: [entry, ...others].slice(0, mostEntries), fresh: key })
  if (take) setTimeout(() => age(entry), freshMs)
  if (Number.isFinite(until)) setTimeout(() => end(entry), until - serverNow())
}

/** Whether an entry is shown: a newer entry with the same key may have replaced it. */
const isShown = ({ key, until }: Entry) =>
  shown.entries.some((entry) => entry.key === key && entry.until === until)

function end(entry: Entry) {
  if (isShown(entry)) removeEntry(entry.key)
}

function age(entry: Entry) {
  if (shown.fresh === entry.key && isShown(entry)) show({ ...shown, fresh: undefined })
}

let successes = 0

/** Adds a success that cannot be undone. */
export function addSuccess(text: string) {
  successes += 1
  addEntry({ key: `success-${successes}`, text, sentence: text, until: serverNow() + freshMs })
}

/** Replaces the sentence and the undo of an entry, which keeps its place. */
export function changeEntry(key: string, change: Pick<Entry, 'sentence' | 'take'>) {
  const entries = shown.entries.map((entry) => (entry.key === key ? { ...entry, ...change } : entry))
  show({ ...shown, entries })
}

export function removeEntry(key: string) {
  const entries = shown.entries.filter((entry) => entry.key !== key)
  if (entries.length < shown.entries.length) show({ ...shown, entries })
}

/** Removes all entries, for example when the user signs out. */
export const clearShelf = () => show(nothing)

export const useEntries = () => useSyncExternalStore(subscribe, () => shown)

let shelves = 0

export const hasShelf = () => shelves > 0

/** Registers the page's shelf until the returned function is called. */
export function openShelf() {
  shelves += 1
  return () => void (shelves -= 1)
}
