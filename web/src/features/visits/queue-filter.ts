import type { Visit } from '@/api/types'
import { findsWord } from '@/find-word'
import { serviceName } from './visit'

export type QueueFilter = { search: string; status: Visit['status'] | 'all' }

/**
 * Whether a visit matches: each typed word occurs in its token, name, phone, service or consultant, or sounds like a
 * word of theirs in another script.
 */
export function matches(visit: Visit, { search, status }: QueueFilter): boolean {
  if (status !== 'all' && visit.status !== status) return false
  const words = search.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return true
  const { token, name, phone, assignedConsultant } = visit
  const text = [token, name, phone, serviceName(visit), assignedConsultant ?? '']
    .join('\n')
    .toLocaleLowerCase()
  return words.every((word) => findsWord(word, text))
}
