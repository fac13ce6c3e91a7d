import { hashKey, type QueryClient } from '@tanstack/react-query'
import type { Followed } from '@/api/followed-list'
import type { Visit } from '@/api/types'
import { directoryKeys } from '@/features/directory/queries'
import { visitKeys } from '@/features/visits/data/queries'
import { inBackground } from '@/in-background'
import { isUnsent } from '@/live/offline-mode'
import { seal, unseal } from './cipher'
import { now, today } from './clock'
import { refresh } from './noted'
import { deskState, update } from './state'
import { keepList, keptList } from './store'

type Today = Followed<Visit>

/** The rows for a start without the server: with names, but without phone numbers and notes. */
const withoutPhones = (rows: readonly Visit[]): Visit[] =>
  rows
    .filter(({ id }) => !isUnsent(id))
    .map((visit) => ({ ...visit, phone: '', notes: '', receptionNotes: '', paNotes: '', sessionNotes: '' }))

/** While the desk is online, stores the services and the day's list, without phone numbers and notes. */
export async function keepLists(client: QueryClient): Promise<void> {
  if (deskState().mode !== 'online') return
  const at = now().toISOString()
  const visits = client.getQueryData<Today>(visitKeys.today)
  if (visits) await keepList('today', await seal({ day: today(), rows: withoutPhones(visits.rows) }), at)
  const services = client.getQueryData(directoryKeys.services)
  if (services) await keepList('services', await seal(services), at)
}

/**
 * Stores the first responses on this desk. The server's lists lack the visits that are stored only here, so these are
 * added again.
 */
export function keepShown(client: QueryClient) {
  client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || event.action.manual) return
    if (event.query.state.dataUpdateCount === 1) inBackground(keepLists(client))
    if (deskState().unsent > 0 && event.query.queryHash === hashKey(visitKeys.today))
      inBackground(refresh(client))
  })
}

/** Deletes what is kept of erased persons, and the list of a day that is over. */
export async function forgetErased(ids: readonly string[]): Promise<void> {
  const kept = await keptList('today')
  if (!kept) return
  const { day, rows } = await unseal<{ day: string; rows: Visit[] }>(kept)
  const left = rows.filter(({ id }) => day === today() && !ids.includes(id))
  if (left.length < rows.length) await keepList('today', await seal({ day, rows: left }), kept.at)
}

/** Shows the kept lists where the server has sent none. */
export async function seedLists(client: QueryClient): Promise<void> {
  const services = await keptList('services')
  if (services && !client.getQueryData(directoryKeys.services))
    client.setQueryData(directoryKeys.services, await unseal(services))
  const kept = await keptList('today')
  if (!kept || client.getQueryData(visitKeys.today)) return
  const { day, rows } = await unseal<{ day: string; rows: Visit[] }>(kept)
  if (day !== today()) return
  client.setQueryData(visitKeys.today, { rows, position: undefined, wholeFrom: 0 } satisfies Today)
  update({ asOf: kept.at })
}
