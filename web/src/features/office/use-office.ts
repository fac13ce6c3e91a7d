import { useSyncExternalStore } from 'react'
import { loadOffice } from './load-office'
import defaultOffice from 'virtual:office'
import type { Office } from './office'

let current: Office = defaultOffice
let loading: Promise<void> | undefined
const listeners = new Set<() => void>()

async function refresh() {
  try {
    current = await loadOffice()
    listeners.forEach((listener) => listener())
  } catch {
    // What is shown stays: the built-in default, or what was read last.
  } finally {
    loading = undefined
  }
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  loading ??= refresh()
  return () => void listeners.delete(listener)
}

/**
 * The office to show now: the built-in default at once, the office's own document as soon as it is read.
 * A store of its own, because the public page has no room for the query library.
 */
export function useOffice(): Office {
  return useSyncExternalStore(subscribe, () => current)
}
