import type { QueryClient } from '@tanstack/react-query'
import { Fault } from '@/api/fault'
import { sessionStore } from '@/api/session-store'
import type { Bodies, Service, Visit } from '@/api/types'
import { directoryKeys } from '@/features/directory/queries'
import { pageOffice } from '@/features/office/page-office'
import type { Registration } from '@/features/visits/data/mutations'
import { inBackground } from '@/in-background'
import { idOfUnsent } from '@/live/offline-mode'
import { loadTexts } from '@/live/offline-texts'
import { seal, unseal } from './cipher'
import { now, today } from './clock'
import { notedOf } from './read-noted'
import { deskState, update } from './state'
import { notedRows, replaceRow, take, type NotedRow } from './store'
import { lastOfOffice, shownVisit, showUnsent, type Noted } from './visits'

const serviceNameOf = (client: QueryClient, id: string) =>
  client
    .getQueryData<readonly Pick<Service, 'id' | 'name'>[]>(directoryKeys.services)
    ?.find((one) => one.id === id)?.name ?? ''

/** Gives a visitor the next token of this desk. The row is stored before the token is shown. */
export async function giveToken(client: QueryClient, { visit, key }: Registration): Promise<Visit> {
  const text = await loadTexts()
  const { problem } = deskState()
  if (problem === 'conflict' || problem === 'revoked')
    throw new Fault(text.problems[problem], { status: 409 })
  const { serviceId, name, phone, notes = '', class: of, language, documents, told_by, messages } = visit
  const noted: Noted = {
    made_by: sessionStore.user()?.id ?? '',
    name,
    phone,
    notes,
    service_id: serviceId,
    service_name: serviceNameOf(client, serviceId),
    notice_version: pageOffice().notice.version,
    arrived_at: now().toISOString(),
    after: lastOfOffice(client),
    ...(of ? { class: of } : {}),
    ...(told_by ? { told_by } : {}),
    ...(language ? { language } : {}),
    ...(documents ? { documents } : {}),
    ...(messages ? { messages } : {}),
  }
  const stored = await storeRow(key, noted, text.problems)
  if (!stored) {
    update({ problem: 'lease' })
    throw new Fault(text.problems.lease, { status: 409 })
  }
  if (deskState().problem === 'storage' || deskState().problem === 'lease') update({ problem: undefined })
  // Printing does not wait for the lists.
  inBackground(refresh(client))
  return shownVisit(stored.row, stored.noted)
}

type Stored = { row: NotedRow; noted: Noted }

/**
 * Stores the visit under a number before the number is given out. If the key is stored already, returns the stored
 * number and visit.
 */
async function storeRow(key: string, noted: Noted, text: { storage: string }): Promise<Stored | undefined> {
  try {
    const sealed = await seal(noted)
    const row = await take(today(), key, sealed)
    return row && { row, noted: row.body === sealed.body ? noted : await unseal<Noted>(row) }
  } catch (cause) {
    update({ problem: 'storage' })
    const fault = new Fault(text.storage, { status: 409 })
    fault.cause = cause
    throw fault
  }
}

/** Records that the visitor of an unsent visit has left. */
export const noteLeft = async (client: QueryClient, id: string): Promise<Visit> =>
  noteMore(client, id, ({ left_at = now().toISOString() }) => ({ left_at }))

type Papers = Bodies['DocumentsAnswer']

/** The recorded papers of a visit that has not been sent yet. */
export async function notedPapers(id: string): Promise<Papers> {
  const { noted } = await rowOf(id)
  return papersOf(noted)
}

/** Replaces the recorded papers of a visit that has not been sent yet. */
export async function notePapers(
  client: QueryClient,
  id: string,
  documents: NonNullable<Noted['documents']>,
): Promise<Papers> {
  await noteMore(client, id, () => ({ documents }))
  return notedPapers(id)
}

const papersOf = ({ documents, arrived_at: at }: Noted): Papers => ({
  acknowledgement: null,
  version: documents ? 1 : 0,
  documents: (documents ?? []).map(
    ({ form = null, key = null, label, note = '', pages = null, required = false, state }, index) => {
      const paper = { form, key, label, note, pages, required, state }
      return { ...paper, no: index + 1, acknowledgement: null, at, by: '' }
    },
  ),
})

async function noteMore(
  client: QueryClient,
  id: string,
  change: (noted: Noted) => Partial<Noted>,
): Promise<Visit> {
  const { row, noted } = await rowOf(id)
  const changed = { ...noted, ...change(noted) }
  const result = await replaceRow(row, await seal(changed))
  // The row was changed meanwhile: read it again.
  if (result === 'changed') return noteMore(client, id, change)
  if (result === 'sent') throw await sentMeanwhile()
  await refresh(client)
  return shownVisit(row, changed)
}

const sentMeanwhile = async () => new Fault((await loadTexts()).sentMeanwhile, { status: 409 })

/** The row of a visit that has not been sent yet. */
async function rowOf(id: string): Promise<Stored> {
  const row = (await notedRows()).find(({ day, number }) => idOfUnsent(day, number) === id)
  if (row) return { row, noted: await unseal<Noted>(row) }
  throw await sentMeanwhile()
}

/** Counts the reads of the rows, so that an older read is not shown after a newer one. */
let reads = 0

/** Shows today's unsent visitors on screen, and counts all unsent visitors. */
export async function refresh(client: QueryClient): Promise<void> {
  reads += 1
  const read = reads
  const rows = await notedRows()
  const visits = await Promise.all(
    rows.map(async (row) => {
      const noted = await notedOf(row)
      return noted ? [shownVisit(row, noted)] : []
    }),
  )
  if (read !== reads) return
  const { problem } = deskState()
  const refused = rows.some((row) => row.refused !== undefined)
  const known = refused && !problem ? 'refused' : problem
  update({ unsent: rows.length, problem: known === 'refused' && !refused ? undefined : known })
  const day = today()
  showUnsent(
    client,
    visits.flat().filter((visit) => visit.day === day),
  )
}
