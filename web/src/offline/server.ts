import { api, payload } from '@/api/client'
import { Fault } from '@/api/fault'
import type { Bodies } from '@/api/types'
import { readKey } from './store'

async function named() {
  const token = await readKey('token')
  return { 'Baari-Device': typeof token === 'string' ? token : '' }
}

/** Leases numbers of tokens for the desk's next days. */
export const lease = async (unsent: number) =>
  payload(api.POST('/api/visits/offline/lease', { body: { unsent }, params: { header: await named() } }))

/** Sends visits of one day, in the order of their numbers. */
export const send = async (body: Bodies['SendOffline']) =>
  (await payload(api.POST('/api/visits/offline', { body, params: { header: await named() } }))).done

/** Exchanges the pairing code, which an admin has, for the desk's token. */
export const pair = async (code: string) => payload(api.POST('/api/devices/pair', { body: { code } }))

/** Whether a request got no response, or one that says that a service is unavailable. */
export const isCut = (error: unknown): boolean =>
  error instanceof Fault && (error.status === 0 || [502, 503, 504].includes(error.status))

const patienceMs = 3_000

/** Whether the gateway and the service directory answer. The service visits may still be unavailable. */
export async function answers(): Promise<boolean> {
  try {
    const options = { cache: 'no-store', signal: AbortSignal.timeout(patienceMs) } as const
    return (await fetch('/api/office', options)).ok
  } catch {
    return false
  }
}
