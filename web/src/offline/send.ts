import { Fault } from '@/api/fault'
import { unseal } from './cipher'
import { keepStopped, type Stop } from './clock'
import { notedOf } from './read-noted'
import { send } from './server'
import { deskState, update } from './state'
import { dropRows, notedRows, replaceRow, type NotedRow } from './store'
import type { Noted } from './visits'

/** The limits of a request. The server accepts at most 64 KiB. */
const mostVisits = 20
const mostBytes = 60 * 1024

/** The desk had no lease for the day: the server accepts no visit of that day, even if it is sent again. */
const noLease = 'no_lease'

/** Whether the server rejected the request and would reject it again. */
const isRefusal = ({ status, code }: Fault) => [400, 413].includes(status) || code === noLease

type Body = Parameters<typeof send>[0]

/** The first unsent visits as one request: visits of one day, in the order of their numbers. */
export async function nextRequest(
  rows: readonly NotedRow[],
  series: string,
  most: number,
): Promise<Body | undefined> {
  const waiting = rows.filter(({ refused }) => refused === undefined)
  const [first] = waiting
  if (!first) return undefined
  const visits: Body['visits'] = []
  let size = 200
  for (const row of waiting.filter(({ day }) => day === first.day).slice(0, most)) {
    // Fields that are undefined are not sent.
    const noted = { ...(await unseal<Noted>(row)), after: undefined }
    const visit = { ...noted, number: row.number, key: row.key } as unknown as Body['visits'][number]
    size += new Blob([JSON.stringify(visit)]).size + 1
    if (size > mostBytes && visits.length > 0) break
    visits.push(visit)
  }
  return { series, day: first.day, visits }
}

/** From now on the desk gives out no tokens. */
export async function stopDesk(problem: Stop): Promise<void> {
  update({ problem })
  await keepStopped(problem)
}

/**
 * Sends what this desk has recorded, until only visits are left that the server does not accept. Only one window sends
 * at a time. Returns false if another window is sending. After a lost response the visits are sent again, because the
 * server recognizes their keys.
 */
export async function sendNoted(): Promise<boolean> {
  return navigator.locks.request('baari-desk', { ifAvailable: true }, async (lock) => {
    if (!lock) return false
    try {
      await setUnreadableAside()
      while (await sendNext()) update({ unsent: (await notedRows()).length })
      return true
    } catch (cause) {
      if (!(cause instanceof Fault)) throw cause
      if (cause.code !== 'device_revoked') throw cause
      await stopDesk('revoked')
      return true
    }
  })
}

/** An unreadable visit stays and is shown as not accepted, and the others are still sent. */
async function setUnreadableAside() {
  for (const row of await notedRows()) {
    if (row.refused === undefined && !(await notedOf(row))) await replaceRow(row, { refused: 'unreadable' })
  }
}

/** Sends one request. Returns whether another request may follow. */
async function sendNext(most = mostVisits): Promise<boolean> {
  const rows = await notedRows()
  const request = await nextRequest(rows, deskState().series, most)
  if (!request) return false
  const sent = rows.filter(
    ({ day, number }) => day === request.day && request.visits.some((visit) => visit.number === number),
  )
  let done
  try {
    done = await send(request)
  } catch (cause) {
    if (!(cause instanceof Fault) || !isRefusal(cause)) throw cause
    // The server may have rejected the request because of one visit, so the visits are sent one by one.
    if (sent.length > 1 && cause.code !== noLease) return sendNext(1)
    for (const row of sent) await replaceRow(row, { refused: cause.code ?? 'validation' })
    return true
  }
  const rowOf = (number: number) => sent.filter((row) => row.number === number)
  // A row that was changed meanwhile stays and is sent again: the server recognizes its visit.
  await dropRows(done.filter(({ state }) => state !== 'refused').flatMap(({ number }) => rowOf(number)))
  for (const { number, code } of done.filter(({ state }) => state === 'refused')) {
    for (const row of rowOf(number)) await replaceRow(row, { refused: code ?? 'validation' })
    if (code === 'series_conflict') await stopDesk('conflict')
  }
  return done.length > 0
}
