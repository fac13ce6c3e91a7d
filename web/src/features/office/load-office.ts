import type { Office } from '@/api/office'
import { recordServerTime } from '@/clock'

/** The backend is asked first. A page without a backend uses the copy beside index.html. */
const addresses = ['/api/office', `${import.meta.env.BASE_URL}office.json`]
const patienceMs = 10_000

/** Loads the office document from the first address that returns one. Rejects when none does. */
export async function loadOffice(): Promise<Office> {
  for (const address of addresses) {
    const office = await read(address)
    if (office) return office
  }
  throw new Error('No office document could be read')
}

async function read(address: string): Promise<Office | undefined> {
  try {
    const sent = Date.now()
    const response = await fetch(address, { signal: AbortSignal.timeout(patienceMs) })
    recordServerTime(response.headers.get('Date'), sent, Date.now())
    const body: unknown = response.ok ? await response.json() : undefined
    return isOffice(body) ? body : undefined
  } catch {
    return undefined
  }
}

/** A host without a backend may return some other document for any path. */
function isOffice(body: unknown): body is Office {
  return typeof body === 'object' && body !== null && 'brand' in body && 'appointmentSlots' in body
}
