import type { QueryClient } from '@tanstack/react-query'
import { Fault } from '@/api/fault'
import { directoryKeys } from '@/features/directory/queries'
import { visitKeys } from '@/features/visits/queries'
import { keepIdentity, now, readIdentity } from './clock'
import { forgetErased, keepLists, keepShown, seedLists } from './lists'
import { forgetOld, refresh } from './outbox'
import { replay, stopDesk } from './replay'
import { answers, isCut, lease } from './server'
import { deskState, setWords, update } from './state'
import { forgetLeases, keepLease, outboxRows } from './store'
import { loadTexts } from './texts'

/** Two answers within this time end the mode without network. */
const probeEveryMs = 4_000
const contactEveryMs = 10 * 60_000
const listsEveryMs = 30_000

/** Other windows of this desk: none of them is online while one is not. */
const windows = 'BroadcastChannel' in globalThis ? new BroadcastChannel('baari-desk') : undefined

let started: Promise<void> | undefined
let timer: ReturnType<typeof setTimeout> | undefined
/** Counts the cuts: a question of one that is over changes nothing. */
let cuts = 0

/** Starts the desk of this browser, once. */
export const startDesk = (client: QueryClient): Promise<void> => (started ??= start(client))

async function start(client: QueryClient) {
  setWords(await loadTexts())
  const known = await readIdentity()
  if (known) update({ series: known.series, name: known.name, problem: known.stopped })
  update({ isLoose: !(await navigator.storage.persisted()) })
  await forgetOld()
  await forgetErased([])
  windows?.addEventListener('message', ({ data }: MessageEvent<string>) => {
    if (data === 'offline') goOffline(client, false)
    else void back(client)
  })
  keepShown(client)
  void keepLists(client)
  setInterval(() => void keepLists(client), listsEveryMs)
  setInterval(() => void contact(), contactEveryMs)
  const rows = await outboxRows()
  const waits = rows.some(({ refused }) => refused === undefined)
  if (waits || !(await answers())) {
    await seedLists(client)
    goOffline(client, false)
    return
  }
  await contact()
  if (rows.length > 0) await refresh(client)
}

/** Leases the next days. A desk that was removed stops giving out tokens. */
export async function contact(): Promise<void> {
  try {
    const { device, days, now: at, erased = [] } = await lease((await outboxRows()).length)
    await keepLease(days)
    await forgetErased(erased)
    const { series, name } = device
    const { problem } = deskState()
    const stopped = problem === 'conflict' ? problem : undefined
    await keepIdentity({ series, name, offset: Date.parse(at) - Date.now(), stopped })
    update({
      series,
      name,
      ...(problem === 'lease' || problem === 'revoked' ? { problem: undefined } : {}),
    })
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause
    if (cause.code !== 'device_revoked') return
    await forgetLeases()
    await stopDesk('revoked')
  }
}

/** The server does not answer: tokens are those of this desk until it does. */
export function goOffline(client: QueryClient, tell = true) {
  void keepLists(client)
  if (deskState().mode !== 'offline')
    update({ mode: 'offline', asOf: deskState().asOf ?? now().toISOString() })
  if (tell) windows?.postMessage('offline')
  void refresh(client)
  cuts += 1
  clearTimeout(timer)
  timer = setTimeout(() => void probe(client, cuts, 0), probeEveryMs)
}

/** Asks the server until it has answered twice in a row. */
async function probe(client: QueryClient, cut: number, before: number) {
  const count = (await answers()) ? before + 1 : 0
  if (cut !== cuts || (count >= 2 && (await sendAll(client))) || cut !== cuts) return
  timer = setTimeout(() => void probe(client, cut, count >= 2 ? 0 : count), probeEveryMs)
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
  cuts += 1
  clearTimeout(timer)
  await contact()
  await refresh(client)
  update({ mode: 'online', asOf: undefined })
  await client.invalidateQueries({ queryKey: visitKeys.all })
  await client.invalidateQueries({ queryKey: directoryKeys.services })
}
