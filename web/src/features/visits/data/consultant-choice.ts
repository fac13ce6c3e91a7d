import type { Visit } from '@/api/types'
import { minutesBetween } from '@/ui/office-time'
import { stageOf } from './stage'

/** A consultant as an option for an assignment. */
export type ConsultantChoice = {
  id: string
  name: string
  currentQueue: number
  inSession: boolean
  /** Whether the consultant is active and has an empty queue. */
  available: boolean
  /** The estimated minutes until the consultant has finished the session and the queue; 0 when idle. */
  freeIn: number
  specialization: readonly string[]
}

export type RankedChoice = ConsultantChoice & { suits: boolean }

const wordsOf = (text: string) =>
  ` ${text
    .toLocaleLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `

/** Whether a specialization contains the service's name, or is part of it: 'GST' matches GST Registration. */
export const suits = ({ specialization }: Pick<ConsultantChoice, 'specialization'>, service: string) =>
  specialization.some((one) => {
    const [known, wanted] = [wordsOf(one), wordsOf(service)]
    return known.trim() !== '' && (wanted.includes(known) || known.includes(wanted))
  })

/**
 * The consultants in order of preference for a visitor: the one for whom the appointment was booked, then available
 * consultants, matching ones before others, then by the time until they are free.
 */
export function choicesFor(
  service: string,
  consultants: readonly ConsultantChoice[],
  askedFor?: string,
): RankedChoice[] {
  return consultants
    .map((consultant) => ({ ...consultant, suits: suits(consultant, service) }))
    .sort(
      (one, other) =>
        Number(other.id === askedFor) - Number(one.id === askedFor) ||
        Number(other.available) - Number(one.available) ||
        Number(other.suits) - Number(one.suits) ||
        one.freeIn - other.freeIn ||
        one.currentQueue - other.currentQueue ||
        Number(one.inSession) - Number(other.inSession) ||
        one.name.localeCompare(other.name),
    )
}

/** The estimated minutes of each service, by id. */
type Estimates = ReadonlyMap<string, number>

/**
 * The minutes of work before each consultant, by id: the rest of the session, and the visitors who wait for this
 * consultant.
 */
export function minutesUntilFree(
  visits: readonly Visit[],
  estimates: Estimates,
  now: number,
): ReadonlyMap<string, number> {
  const minutes = new Map<string, number>()
  for (const visit of visits) {
    const id = visit.assignedConsultantId
    const left = id ? minutesLeft(visit, estimates, now) : 0
    if (id && left > 0) minutes.set(id, (minutes.get(id) ?? 0) + left)
  }
  return minutes
}

function minutesLeft(visit: Visit, estimates: Estimates, now: number): number {
  const estimate = estimates.get(visit.service.id) ?? 0
  const stage = stageOf(visit)
  if (stage === 'waiting' || stage === 'called') return estimate
  if (stage !== 'in-session') return 0
  const since = visit.queue.satSince ?? visit.startedAt
  return since ? Math.max(1, estimate - minutesBetween(since, now)) : estimate
}
