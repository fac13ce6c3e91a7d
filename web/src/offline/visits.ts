import type { QueryClient } from '@tanstack/react-query'
import type { Followed } from '@/api/followed-list'
import type { Bodies, Visit } from '@/api/types'
import { byToken } from '@/features/visits/data/order'
import { visitKeys } from '@/features/visits/data/queries'
import { visitOf } from '@/features/visits/data/stage'
import { idOfUnsent, isUnsent } from '@/live/offline-mode'
import { deskState } from './state'
import type { NotedRow } from './store'

/** A visit as this desk has recorded it. */
export type Noted = Omit<
  Bodies['OfflineRegistration'],
  'number' | 'key' | 'serviceId' | 'reception_id' | 'service_id'
> & {
  service_id: string
  /** The last T number that this desk knew when it gave out the token. */
  after: number
}

export const tokenOf = (series: string, number: number) => `${series}-${String(number).padStart(3, '0')}`

/** The visit that the screens show until the server has it. */
export function shownVisit({ day, number }: Pick<NotedRow, 'day' | 'number'>, noted: Noted): Visit {
  const at = noted.arrived_at
  const left = noted.left_at !== undefined
  const visit = visitOf({
    id: idOfUnsent(day, number),
    token: tokenOf(deskState().series, number),
    day,
    name: noted.name,
    phone: noted.phone,
    service: { id: noted.service_id, name: noted.service_name },
    language: noted.language ?? '',
    status: left ? 'denied' : 'new',
    createdAt: at,
    updatedAt: at,
    decidedAt: null,
    startedAt: null,
    completedAt: null,
    assignedConsultant: null,
    assignedConsultantId: null,
    notes: noted.notes ?? '',
    receptionNotes: noted.notes ?? '',
    paNotes: '',
    sessionNotes: '',
    waitTime: 0,
    sessionDuration: null,
    version: 1,
    documents: noted.documents ? summaryOf(noted.documents) : null,
    offline: { arrivedAt: at, after: noted.after, serviceGone: false },
  })
  const { queue } = visit
  return {
    ...visit,
    queue: { ...queue, class: noted.class ?? queue.class, stage: left ? 'left' : queue.stage },
  }
}

const summaryOf = (documents: NonNullable<Noted['documents']>): Visit['documents'] => ({
  left: documents.filter(({ state }) => state === 'left').length,
  missing: documents
    .filter(({ required, state }) => required && state === 'missing')
    .map(({ key = null, label }) => ({ key, label })),
})

type List = Followed<Visit> | undefined

/** Replaces the unsent visits in the day's list. */
export function showUnsent(client: QueryClient, visits: readonly Visit[]) {
  client.setQueryData(visitKeys.today, (list: List): List => {
    if (!list && visits.length === 0) return list
    const { rows = [], ...rest } = list ?? { position: undefined, wholeFrom: 0 }
    const others = rows.filter(({ id }) => !isUnsent(id))
    return { ...rest, rows: [...others, ...visits].toSorted(byToken) }
  })
}

/** The last T number in the day's list. */
export function lastOfOffice(client: QueryClient): number {
  const list = client.getQueryData<Followed<Visit>>(visitKeys.today)
  const numbers = (list?.rows ?? []).filter(({ token }) => token.startsWith('T-'))
  return numbers.reduce((last, { token }) => Math.max(last, Number(token.slice(2))), 0)
}
