import defaultOffice from 'virtual:office'
import { loadOffice } from '@/features/office/load-office'

/** The debugging screen while the office has it switched on; otherwise its address is under construction. */
export async function debugScreen() {
  const { features } = await loadOffice().catch(() => defaultOffice)
  if (features.debug) return (await import('@/screens/debug/debug')).Debug
  return (await import('@/screens/not-found/not-found')).NotFound
}
