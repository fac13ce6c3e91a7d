import type { Visit } from '@/api/types'

/** Shown for a completed session without a measured duration. */
const standingDuration = 30

export const durationOf = (visit: Visit) => visit.sessionDuration ?? standingDuration

/** The service's name, which older servers send as plain text. */
export function serviceName(visit: Pick<Visit, 'service'>): string {
  const service: Visit['service'] | string = visit.service
  return typeof service === 'string' ? service : service.name
}

/** In a final status. */
export const isOver = ({ status }: Visit) => status === 'completed' || status === 'denied'

type Person = { id: string; name: string }

/** Compares by id, or by name if no id was sent. */
export const isAssignedTo = (visit: Visit, person: Person) =>
  visit.assignedConsultantId
    ? visit.assignedConsultantId === person.id
    : visit.assignedConsultant === person.name

/** One consultant's visits: the running session, the queue, and the completed ones. */
export function deskOf(visits: readonly Visit[], person: Person) {
  const mine = visits.filter((visit) => isAssignedTo(visit, person))
  return {
    session: mine.find(({ status }) => status === 'in-session'),
    queue: mine.filter(({ status }) => status === 'approved'),
    completed: mine.filter(({ status }) => status === 'completed').reverse(),
  }
}
