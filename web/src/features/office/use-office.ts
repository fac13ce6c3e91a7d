import { useSyncExternalStore } from 'react'
import { loadOffice } from './load-office'
import type { Office } from './office'
import { pageOffice } from './page-office'

let current: Office = pageOffice()
let loading: Promise<void> | undefined
const listeners = new Set<() => void>()

async function refresh() {
  try {
    const office = await loadOffice()
    // Most times it is the one that came with the page: nothing has to be drawn again.
    if (JSON.stringify(office) === JSON.stringify(current)) return
    current = office
    listeners.forEach((listener) => listener())
  } catch {
    // What is shown stays: what came with the page, or what was read last.
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
 * The office to show now: the one that came with the page at once, the backend's, with its services of today, as soon as it is read.
 * A store of its own, because the public page has no room for the query library.
 */
export function useOffice(): Office {
  return useSyncExternalStore(subscribe, () => current)
}
