import type { Visit } from '@/api/types'

/** Shown for a completed session whose length was not measured. */
const standingDuration = 30

export const durationOf = (visit: Visit) => visit.sessionDuration ?? standingDuration

/** The service's name, which older servers send as plain text. */
export function serviceName(visit: Pick<Visit, 'service'>): string {
  const service: Visit['service'] | string = visit.service
  return typeof service === 'string' ? service : service.name
}

/** Nothing more happens to it. */
export const isOver = ({ status }: Visit) => status === 'completed' || status === 'denied'

type Person = { id: string; name: string }

/** By id; by name only where no id is sent. */
export const isAssignedTo = (visit: Visit, person: Person) =>
  visit.assignedConsultantId
    ? visit.assignedConsultantId === person.id
    : visit.assignedConsultant === person.name

/** What one consultant has before them: the running session, who waits, and what is done. */
export function deskOf(visits: readonly Visit[], person: Person) {
  const mine = visits.filter((visit) => isAssignedTo(visit, person))
  return {
    session: mine.find(({ status }) => status === 'in-session'),
    queue: mine.filter(({ status }) => status === 'approved'),
    completed: mine.filter(({ status }) => status === 'completed').reverse(),
  }
}
