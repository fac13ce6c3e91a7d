import type { QueryClient } from '@tanstack/react-query'
import { Fault } from '@/api/fault'
import { directoryKeys } from '@/features/directory/queries'
import { visitKeys } from '@/features/visits/queries'
import { now, setOffset } from './clock'
import { forgetErased, keepLists, seedLists } from './lists'
import { forgetOld, refresh } from './outbox'
import { replay } from './replay'
import { answers, isCut, lease } from './server'
import { deskState, setWords, update } from './state'
import { forgetLeases, keepLease, outboxRows, readKey, writeKey } from './store'
import { loadTexts } from './texts'

/** Two answers within this time end the mode without network. */
const probeEveryMs = 4_000
const contactEveryMs = 10 * 60_000
const listsEveryMs = 30_000
const firstListsMs = 3_000

/** Other windows of this desk: none of them is online while one is not. */
const windows = 'BroadcastChannel' in globalThis ? new BroadcastChannel('baari-desk') : undefined

type Identity = { series: string; name: string; offset: number }

let started: Promise<void> | undefined
let timer: ReturnType<typeof setTimeout> | undefined

/** Starts the desk of this browser, once. */
export const startDesk = (client: QueryClient): Promise<void> => (started ??= start(client))

async function start(client: QueryClient) {
  setWords(await loadTexts())
  const known = (await readKey('identity')) as Identity | undefined
  if (known) {
    setOffset(known.offset)
    update({ series: known.series, name: known.name })
  }
  update({ isLoose: !(await navigator.storage.persisted()) })
  await forgetOld()
  await forgetErased([])
  windows?.addEventListener('message', ({ data }: MessageEvent<string>) => {
    if (data === 'offline') goOffline(client, false)
    else void back(client)
  })
  setTimeout(() => void keepLists(client), firstListsMs)
  setInterval(() => void keepLists(client), listsEveryMs)
  setInterval(() => void contact(), contactEveryMs)
  const unsent = await outboxRows()
  if (unsent.some(({ refused }) => refused === 'series_conflict')) update({ problem: 'conflict' })
  if (unsent.length > 0 || !(await answers())) {
    await seedLists(client)
    goOffline(client, false)
    return
  }
  await contact()
}

/** Leases the next days. A desk that was removed is told so. */
export async function contact(): Promise<void> {
  try {
    const { device, days, now: at, erased = [] } = await lease((await outboxRows()).length)
    const offset = Date.parse(at) - Date.now()
    setOffset(offset)
    await keepLease(days)
    await forgetErased(erased)
    await writeKey('identity', { series: device.series, name: device.name, offset } satisfies Identity)
    const { problem } = deskState()
    update({
      series: device.series,
      name: device.name,
      ...(problem === 'lease' || problem === 'revoked' ? { problem: undefined } : {}),
    })
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause
    if (cause.code !== 'device_revoked') return
    await forgetLeases()
    update({ problem: 'revoked' })
  }
}

/** The server does not answer: tokens are those of this desk until it does. */
export function goOffline(client: QueryClient, tell = true) {
  void keepLists(client)
  if (deskState().mode !== 'offline')
    update({ mode: 'offline', asOf: deskState().asOf ?? now().toISOString() })
  if (tell) windows?.postMessage('offline')
  void refresh(client)
  clearTimeout(timer)
  timer = setTimeout(() => void probe(client, 0), probeEveryMs)
}

/** Asks the server until it has answered twice in a row. */
async function probe(client: QueryClient, before: number) {
  const count = (await answers()) ? before + 1 : 0
  if (count >= 2 && (await sendAll(client))) return
  timer = setTimeout(() => void probe(client, count >= 2 ? 0 : count), probeEveryMs)
}

/** Sends what was noted; returns whether the desk is online again. */
async function sendAll(client: QueryClient): Promise<boolean> {
  update({ mode: 'sending' })
  try {
    const ended = await replay()
    if (!ended && (await outboxRows()).some(({ refused }) => refused === undefined)) {
      update({ mode: 'offline' })
      return false
    }
  } catch (cause) {
    update({ mode: 'offline' })
    if (!(cause instanceof Fault)) throw cause
    if (!isCut(cause) && cause.status !== 401 && cause.status !== 409 && cause.status !== 429) throw cause
    return false
  }
  windows?.postMessage('online')
  await back(client)
  return true
}

/** Tokens are the office's again. */
async function back(client: QueryClient) {
  clearTimeout(timer)
  await contact()
  await refresh(client)
  update({ mode: 'online', asOf: undefined })
  await client.invalidateQueries({ queryKey: visitKeys.all })
  await client.invalidateQueries({ queryKey: directoryKeys.services })
}
