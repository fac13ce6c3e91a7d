import { useSyncExternalStore } from 'react'
import { setOfflineMode } from '@/live/offline-mode'
import type { Texts } from '@/live/offline-texts'

/**
 * The problem that the band shows. `conflict`, `revoked`: the desk gives out no tokens of its own. `lease`, `storage`:
 * the last attempt to give out a token failed. `refused`: the desk has visits that the server does not accept.
 */
export type Problem = 'conflict' | 'revoked' | 'lease' | 'storage' | 'refused'

export type State = {
  mode: 'online' | 'offline' | 'sending'
  series: string
  name: string
  unsent: number
  problem?: Problem | undefined
  /** When the lists on screen were read from the server; undefined while the desk is online. */
  asOf?: string | undefined
  /** Whether the browser may delete the stored data. */
  isLoose: boolean
}

let state: State = { mode: 'online', series: '', name: '', unsent: 0, isLoose: false }
let words: Texts | undefined
const listeners = new Set<() => void>()

export const deskState = (): State => state

export function update(change: Partial<State>) {
  state = { ...state, ...change }
  setOfflineMode({
    offline: state.mode !== 'online',
    why: words?.notOffline ?? '',
    unsent: words?.notSent ?? '',
    noLookup: words?.noLookup ?? '',
  })
  listeners.forEach((listener) => listener())
}

/** Sets the texts of the controls outside this folder. */
export function setWords(texts: Texts) {
  words = texts
  update({})
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useDeskState = (): State => useSyncExternalStore(subscribe, () => state)
