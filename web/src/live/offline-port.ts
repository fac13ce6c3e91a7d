import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import type { SessionAnswer } from '@/api/session-store'
import type { Bodies, NewVisit, Visit } from '@/api/types'
import { keys, read } from '@/storage'

/** What the application uses of the code of a desk that goes on without network. */
export type Offline = {
  DeskBand: ComponentType
  PairDesk: ComponentType
  keepPerson: (answer: SessionAnswer) => Promise<void>
  keptPerson: () => Promise<SessionAnswer | undefined>
  askToLeave: () => Promise<boolean>
  forgetDesk: () => Promise<void>
  registerAtDesk: (
    client: QueryClient,
    registration: { visit: NewVisit; key: string },
    send: (signal: AbortSignal) => Promise<Visit>,
  ) => Promise<Visit>
  noteLeft: (client: QueryClient, id: string) => Promise<Visit>
  notedPapers: (id: string) => Promise<Bodies['DocumentsAnswer']>
  notePapers: (
    client: QueryClient,
    id: string,
    documents: Bodies['GivenDocument'][],
  ) => Promise<Bodies['DocumentsAnswer']>
}

let load: (() => Promise<Offline>) | undefined
let offline: Offline | undefined

/** Sets how the code is loaded: the application does so before it shows a screen. */
export function setOffline(loader: () => Promise<Offline>) {
  load = loader
}

/** The code of a desk that goes on without network. A second import would take turns of the event loop, too. */
export async function loadDesk(): Promise<Offline> {
  if (!load) throw new Error('setOffline was not called')
  return (offline ??= await load())
}

export const isPairedDesk = () => read(keys.desk) !== null

/** The same on a paired desk; undefined elsewhere. */
export const pairedDesk = async () => (isPairedDesk() ? loadDesk() : undefined)
