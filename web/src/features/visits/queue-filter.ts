import type { Visit } from '@/api/types'
import { findsWord } from '@/find-word'
import { isOpen, stageOf } from './stage'
import { serviceName } from './visit'

/** The lists of today's visitors at reception. */
export const queueViews = ['waiting', 'in-session', 'done', 'all'] as const
export type QueueView = (typeof queueViews)[number]

const viewOf = (visit: Visit): QueueView => {
  if (!isOpen(visit)) return 'done'
  return stageOf(visit) === 'in-session' ? 'in-session' : 'waiting'
}

/** Whether a list contains a visit. */
export const isIn = (view: QueueView, visit: Visit) => view === 'all' || viewOf(visit) === view

/** The number of visits in each list. */
export function countsOf(visits: readonly Visit[]): Record<QueueView, number> {
  const counts = { waiting: 0, 'in-session': 0, done: 0, all: visits.length }
  for (const visit of visits) counts[viewOf(visit)] += 1
  return counts
}

/** A word that can only be a token: `T33`, `t-033`, or the number alone. */
const tokenWord = /^(?:t-?)?0*(\d+)$/
/** More digits without a letter may be a part of a phone number. */
const mostTokenDigits = 3

function isTokenOf(token: string, word: string): boolean | undefined {
  const digits = tokenWord.exec(word)?.[1]
  if (digits === undefined) return undefined
  const number = /(\d+)$/.exec(token)?.[1]
  if (Number(number) === Number(digits)) return true
  return /^\d+$/.test(word) && word.length <= mostTokenDigits ? false : undefined
}

/**
 * Whether a visit matches: each typed word occurs in its token, name, phone, service or consultant, or sounds like a
 * word of theirs in another script.
 */
export function matches(visit: Visit, search: string): boolean {
  const words = search.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return true
  const { token, name, phone, assignedConsultant } = visit
  const text = [token, name, phone, serviceName(visit), assignedConsultant ?? '']
    .join('\n')
    .toLocaleLowerCase()
  return words.every((word) => isTokenOf(token, word) ?? findsWord(word, text))
}
