import { useSyncExternalStore } from 'react'

/** What screens need to know about a desk without network. Only paired desks load the code for it. */
export type OfflineMode = {
  offline: boolean
  /** Why a control is disabled while the desk is offline. */
  why: string
  /** The mark beside a token that is not sent yet. */
  unsent: string
  /** The text below a phone number, in place of the earlier visits. */
  noLookup: string
}

let current: OfflineMode = { offline: false, why: '', unsent: '', noLookup: '' }
const listeners = new Set<() => void>()

export function setOfflineMode(mode: OfflineMode) {
  current = mode
  listeners.forEach((listener) => listener())
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useOfflineMode = (): OfflineMode => useSyncExternalStore(subscribe, () => current)

/** Whether the page has the band of a paired desk, which shows that the server does not answer. */
export const hasOfflineBand = () => current.why !== ''

const unsentId = 'unsent-'

/** The id of a visit that is stored only on this desk, until the server has accepted it. */
export const idOfUnsent = (day: string, number: number) => `${unsentId}${day}-${number}`

export const isUnsent = (id: string) => id.startsWith(unsentId)
