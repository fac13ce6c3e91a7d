import { useSyncExternalStore } from 'react'
import type { Office } from '@/api/office'
import { loadOffice } from './load-office'
import { pageOffice } from './page-office'

let current: Office = pageOffice()
let loading: Promise<void> | undefined
const listeners = new Set<() => void>()

async function refresh() {
  try {
    const office = await loadOffice()
    // The fetched document usually equals the embedded one. Then nothing is rendered again.
    if (JSON.stringify(office) === JSON.stringify(current)) return
    current = office
    listeners.forEach((listener) => listener())
  } catch {
    // On failure the current document stays.
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
 * Returns the office to show: the embedded document at once, then the backend's with its current services. It does not
 * use the query library, which is too large for the public page.
 */
export function useOffice(): Office {
  return useSyncExternalStore(subscribe, () => current)
}
