import type { QueryClient } from '@tanstack/react-query'
import type { FunctionComponent } from 'react'
import type { SessionAnswer } from '@/api/session-store'
import type { Bodies, NewVisit, Visit } from '@/api/types'
import { keys, read } from '@/storage'

/** The functions of a desk without network that the rest of the application uses. */
export type Offline = {
  OfflineBand: FunctionComponent
  PairDesk: FunctionComponent
  keepPerson: (answer: SessionAnswer) => Promise<void>
  keptPerson: () => Promise<SessionAnswer | undefined>
  askToLeave: () => Promise<boolean>
  forgetPairedDesk: () => Promise<void>
  registerAtPairedDesk: (
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

/** Sets the loader of a paired desk's code. The application calls this before it shows a screen. */
export function setOffline(loader: () => Promise<Offline>) {
  load = loader
}

/** Loads the code of a desk without network, once, because even a repeated import waits for the event loop. */
export async function loadOffline(): Promise<Offline> {
  if (!load) throw new Error('setOffline was not called')
  return (offline ??= await load())
}

export const isPairedDesk = () => read(keys.desk) !== null

/** On a paired desk, the code of a desk without network; elsewhere undefined. */
export const pairedDesk = async () => (isPairedDesk() ? loadOffline() : undefined)
