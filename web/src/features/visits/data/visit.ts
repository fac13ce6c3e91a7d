import type { Stage, Visit } from '@/api/types'
import { stageOf } from './stage'

/** The minutes that are shown for a completed session without a measured duration. */
const standingDuration = 30

export const durationOf = (visit: Visit) => visit.sessionDuration ?? standingDuration

/** The service's name, which older servers send as plain text. */
export function serviceName(visit: Pick<Visit, 'service'>): string {
  const service: Visit['service'] | string = visit.service
  return typeof service === 'string' ? service : service.name
}

export const isOver = ({ status }: Visit) => status === 'completed' || status === 'denied'

export type Person = { id: string; name: string }

/** Whether a visit is assigned to a person: by id, or by name if the visit has no id. */
export const isAssignedTo = (visit: Visit, person: Person) =>
  visit.assignedConsultantId
    ? visit.assignedConsultantId === person.id
    : visit.assignedConsultant === person.name

/**
 * One consultant's visits (`mine`), and of these the running session, the called visitor, the queue, the
 * visits on hold or missed (`aside`), and the completed visits.
 */
export function deskOf(visits: readonly Visit[], person: Person) {
  const mine = visits.filter((visit) => isAssignedTo(visit, person))
  const at = (...stages: Stage[]) => mine.filter((visit) => stages.includes(stageOf(visit)))
  return {
    mine,
    session: at('in-session')[0],
    called: at('called')[0],
    queue: at('waiting', 'called'),
    aside: at('held', 'missed'),
    completed: at('completed').reverse(),
  }
}
