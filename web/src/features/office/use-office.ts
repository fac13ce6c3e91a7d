import { useSyncExternalStore } from 'react'
import type { Office } from '@/api/office'
import { inBackground } from '@/in-background'
import { loadOffice } from './load-office'
import { pageOffice } from './page-office'
import { watchOffice } from './watch-office'

let current: Office = pageOffice()
let loading: Promise<void> | undefined
let readAt = 0
let stopWatch: (() => void) | undefined
const listeners = new Set<() => void>()

async function read() {
  try {
    const office = await loadOffice()
    readAt = Date.now()
    // The fetched document usually equals the embedded one. Then nothing is rendered again.
    if (JSON.stringify(office) === JSON.stringify(current)) return
    current = office
    listeners.forEach((listener) => listener())
  } catch {
    // On failure the current document stays.
  }
}

/** Reads after the reading that is under way, whose answer may be older than the reason to read. */
export function readOfficeAgain(): Promise<void> {
  const reading = (loading ?? Promise.resolve()).then(read)
  loading = reading
  return reading.finally(() => {
    if (loading === reading) loading = undefined
  })
}

const lateMs = 1_000

/**
 * Reads the document again after its change. A replica of the backend follows the change within half a second, so an
 * unchanged document is read once more.
 */
export async function renewOffice(): Promise<void> {
  const before = current
  await readOfficeAgain()
  if (current !== before) return
  await new Promise((over) => setTimeout(over, lateMs))
  await readOfficeAgain()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  if (listeners.size === 1)
    stopWatch = watchOffice({ zone: () => current.timeZone, readAt: () => readAt, read: readOfficeAgain })
  if (!loading) inBackground(readOfficeAgain())
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) stopWatch?.()
  }
}

/**
 * Returns the office to show: the embedded document at once, then the backend's with its current services. It does not
 * use the query library, which is too large for the public page.
 */
export function useOffice(): Office {
  return useSyncExternalStore(subscribe, () => current)
}
