import type { QueryClient } from '@tanstack/react-query'
import { Fault } from '@/api/fault'
import { directoryKeys } from '@/features/directory/queries'
import { visitKeys } from '@/features/visits/data/queries'
import { inBackground } from '@/in-background'
import { loadTexts } from '@/live/offline-texts'
import { once } from '@/once'
import { report } from '@/telemetry/report'
import { keepIdentity, now, readIdentity } from './clock'
import { forgetErased, keepLists, keepShown, seedLists } from './lists'
import { refresh } from './noted'
import { sendNoted, stopDesk } from './send'
import { answers, lease } from './server'
import { deskState, setWords, update } from './state'
import { forgetLeases, keepLease, notedRows } from './store'

const probeEveryMs = 4_000
const contactEveryMs = 10 * 60_000
const listsEveryMs = 30_000

/** The other windows of this desk: all of them are offline if one is. */
const windows = 'BroadcastChannel' in globalThis ? new BroadcastChannel('baari-desk') : undefined

let timer: ReturnType<typeof setTimeout> | undefined
/** Changes when the desk goes offline or comes back. Answers to requests from before the change are ignored. */
let cuts = 0

let started: (() => Promise<void>) | undefined

/** Starts the desk of this browser, once. After a failed start, the next call tries again. */
export function startDesk(client: QueryClient): Promise<void> {
  if (!started) {
    follow(client)
    started = once(() => start(client))
  }
  return started()
}

/** Installs what runs while the page is open. */
function follow(client: QueryClient) {
  windows?.addEventListener('message', ({ data }: MessageEvent<string>) => {
    if (data === 'offline') goOffline(client, false)
    else inBackground(back(client))
  })
  keepShown(client)
  setInterval(() => inBackground(keepLists(client)), listsEveryMs)
  setInterval(() => inBackground(contact()), contactEveryMs)
}

async function start(client: QueryClient) {
  setWords(await loadTexts())
  const known = await readIdentity()
  if (known) update({ series: known.series, name: known.name, problem: known.stopped })
  update({ isLoose: !(await navigator.storage.persisted()) })
  await forgetErased([])
  inBackground(keepLists(client))
  const rows = await notedRows()
  const isThere = await answers()
  // The server accepts visits only from persons whom it has seen at this desk: contact comes first.
  if (isThere) await contact()
  if (!isThere || rows.some(({ refused }) => refused === undefined)) {
    await seedLists(client)
    goOffline(client, false)
    return
  }
  if (rows.length > 0) await refresh(client)
}

/** Leases the next days. A desk that was removed stops giving out tokens. */
export async function contact(): Promise<void> {
  try {
    const { device, days, now: at, erased = [] } = await lease((await notedRows()).length)
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

/** Takes the desk offline: it gives out its own tokens until `back` is called. */
export function goOffline(client: QueryClient, tell = true) {
  inBackground(keepLists(client))
  if (deskState().mode !== 'offline')
    update({ mode: 'offline', asOf: deskState().asOf ?? now().toISOString() })
  if (tell) windows?.postMessage('offline')
  inBackground(refresh(client))
  cuts += 1
  probeSoon(client, cuts, 0)
}

function probeSoon(client: QueryClient, cut: number, before: number) {
  clearTimeout(timer)
  timer = setTimeout(() => inBackground(probe(client, cut, before)), probeEveryMs)
}

/** Probes the server until it has answered twice in a row and has accepted or refused all unsent visits. */
async function probe(client: QueryClient, cut: number, before: number) {
  const count = (await answers()) ? before + 1 : 0
  if (cut !== cuts) return
  let isBack = false
  try {
    if (count >= 2) isBack = await sendAll(client)
  } catch (cause) {
    report.error(cause)
  }
  // After every failure, the server is probed again.
  if (!isBack && cut === cuts) probeSoon(client, cut, count >= 2 ? 0 : count)
}

/** Sends the unsent visits. Returns whether the desk is online again. */
async function sendAll(client: QueryClient): Promise<boolean> {
  update({ mode: 'sending' })
  let isBack = false
  try {
    const ended = await sendNoted()
    isBack = ended || (await notedRows()).every(({ refused }) => refused !== undefined)
    if (isBack) await back(client)
  } finally {
    if (!isBack || deskState().mode === 'sending') update({ mode: 'offline' })
  }
  if (deskState().mode === 'online') windows?.postMessage('online')
  return isBack
}

/** Ends the offline mode: tokens come from the server again. */
async function back(client: QueryClient) {
  const cut = cuts
  await contact()
  await refresh(client)
  if (cut !== cuts) return
  cuts += 1
  clearTimeout(timer)
  update({ mode: 'online', asOf: undefined })
  await client.invalidateQueries({ queryKey: visitKeys.all })
  await client.invalidateQueries({ queryKey: directoryKeys.services })
}
