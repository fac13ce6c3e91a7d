import type { Visit } from '@/api/types'
import { isOpen, stageOf } from '@/features/visits/data/stage'
import { isTokenOf, tokenText } from '@/features/visits/data/token-word'
import { serviceName } from '@/features/visits/data/visit'
import { isSought, soughtIn } from './search'

/** The lists of today's visitors at reception. */
export const queueViews = ['waiting', 'in-session', 'done', 'all'] as const
export type QueueView = (typeof queueViews)[number]

export const queueOrders = ['line', 'token'] as const
export type QueueOrder = (typeof queueOrders)[number]

const viewOf = (visit: Visit): QueueView => {
  if (!isOpen(visit)) return 'done'
  return stageOf(visit) === 'in-session' ? 'in-session' : 'waiting'
}

export const isIn = (view: QueueView, visit: Visit) => view === 'all' || viewOf(visit) === view

export function countsOf(visits: readonly Visit[]): Record<QueueView, number> {
  const counts = { waiting: 0, 'in-session': 0, done: 0, all: visits.length }
  for (const visit of visits) counts[viewOf(visit)] += 1
  return counts
}

/**
 * Whether a visit matches: each typed word occurs in its token, name, phone, service or consultant, or sounds like one
 * of their words in another script. A phone number may be typed or pasted in any form.
 */
export function matches(visit: Visit, search: string): boolean {
  const { name, phone, assignedConsultant } = visit
  return isSought(soughtIn(search), {
    phone,
    texts: [tokenText(visit), name, serviceName(visit), assignedConsultant ?? ''],
    isToken: (word) => isTokenOf(visit, word),
  })
}
