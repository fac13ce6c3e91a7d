import { Fault } from '@/api/fault'
import { unseal } from './cipher'
import { keepStopped, type Stop } from './clock'
import { send } from './server'
import { deskState, update } from './state'
import { dropRows, outboxRows, replaceRow, type OutboxRow } from './store'
import type { Noted } from './visits'

/** The limits of a request. The server takes 64 KiB. */
const mostVisits = 20
const mostBytes = 60 * 1024

type Body = Parameters<typeof send>[0]

/** The first visits that are not sent, as one request: those of one day, in the order of their numbers. */
export async function nextRequest(rows: readonly OutboxRow[], series: string): Promise<Body | undefined> {
  const waiting = rows.filter(({ refused }) => refused === undefined)
  const [first] = waiting
  if (!first) return undefined
  const visits: Body['visits'] = []
  let size = 200
  for (const row of waiting.filter(({ day }) => day === first.day).slice(0, mostVisits)) {
    // What is undefined is not sent.
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
 * Sends what this desk has noted, until nothing is left that the server takes. One window does so at a time; returns
 * whether this one did, and got to the end. An answer that is lost is asked for again: the server knows each key.
 */
export async function replay(): Promise<boolean> {
  return navigator.locks.request('baari-desk', { ifAvailable: true }, async (lock) => {
    if (!lock) return false
    try {
      while (await sendNext()) update({ unsent: (await outboxRows()).length })
      return true
    } catch (cause) {
      if (!(cause instanceof Fault)) throw cause
      if (cause.code === 'no_lease') update({ problem: 'lease' })
      else if (cause.code === 'device_revoked') await stopDesk('revoked')
      else throw cause
      return true
    }
  })
}

/** Sends one request and returns whether there may be another. */
async function sendNext(): Promise<boolean> {
  const rows = await outboxRows()
  const request = await nextRequest(rows, deskState().series)
  if (!request) return false
  const done = await send(request)
  const taken = done
    .filter(({ state }) => state !== 'refused')
    .map(({ number }) => ({ day: request.day, number }))
  await dropRows(taken)
  for (const { number, code } of done.filter(({ state }) => state === 'refused')) {
    const row = rows.find((one) => one.day === request.day && one.number === number)
    if (row) await replaceRow({ ...row, refused: code ?? 'validation' })
    if (code === 'series_conflict') await stopDesk('conflict')
  }
  return done.length > 0
}
