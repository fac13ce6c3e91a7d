import type { QueryKey } from '@tanstack/react-query'
import type { LiveEvent } from '@/api/types'
import { appointmentKeys } from '@/features/appointments/queries'
import { auditKeys } from '@/features/audit/queries'
import { sessionQuery } from '@/features/auth/session'
import { directoryKeys } from '@/features/directory/queries'
import { dueDateKeys } from '@/features/due-dates/queries'
import { notificationKeys } from '@/features/notifications/queries'
import { arrivalKeys } from '@/features/visits/data/arrivals'
import { visitKeys } from '@/features/visits/data/queries'

/** What an event invalidates: some queries, all of them, or nothing. */
export type Stale = readonly QueryKey[] | 'everything'

/** The checklist of the first day, which depends on services and desks. */
const setup = ['office', 'setup'] as const

const ofEntity = {
  service: [directoryKeys.services, setup],
  // The consultants determine which desks need a number and which number is suggested.
  consultant: [directoryKeys.consultants, visitKeys.desks, visitKeys.attention, setup],
  appointment: [appointmentKeys.all, visitKeys.attention],
  user: [directoryKeys.users, sessionQuery.queryKey],
  // When a colleague calls a waiting visitor, a consultant receives only this event. The desks show the call.
  line: [visitKeys.line, visitKeys.desks, visitKeys.attention],
  desk: [visitKeys.desks, visitKeys.line, visitKeys.attention],
  due_date: [dueDateKeys.all],
  arrival: [arrivalKeys.all],
  link: [arrivalKeys.all],
  consent: [visitKeys.consents],
  // The page Privacy is loaded when it is opened, so its keys are written here: an import would load its module with
  // the dashboard.
  privacy: [['privacy', 'requests']],
  // The settings, for the same reason.
  office: [['office']],
  visit_documents: [
    visitKeys.today,
    visitKeys.pending,
    visitKeys.line,
    visitKeys.documents,
    visitKeys.attention,
  ],
} satisfies Record<string, readonly QueryKey[]>

/** The queries of the audit service whose answers change when a visit changes. */
const counted = [auditKeys.dashboard, auditKeys.history, auditKeys.figures]
/** The queries for the line, for the desks and their visitors, and for what needs attention. */
const inLine = [visitKeys.line, visitKeys.desks, visitKeys.attention]
/** An event that names only a visit may report any change of that visit. */
const anyVisitChange = [visitKeys.today, visitKeys.pending, ...inLine, directoryKeys.consultants, ...counted]

/** Maps each live event to the queries that it invalidates. A new event type does not compile until it is listed. */
export function staleAfter(event: LiveEvent): Stale {
  switch (event.type) {
    case 'visit_created':
    case 'visit_denied':
      return [visitKeys.today, visitKeys.pending, visitKeys.attention, ...counted]
    case 'visit_approved':
      return anyVisitChange
    case 'visit_called':
    case 'visit_in_session':
    case 'visit_completed':
      return [visitKeys.today, ...inLine, directoryKeys.consultants, ...counted]
    case 'status_update':
      if ('reset' in event.data) return 'everything'
      return 'entity' in event.data ? ofNamed(event.data.entity) : anyVisitChange
    case 'notification':
      return [notificationKeys.received]
    case 'connection':
    case 'heartbeat':
      return []
  }
}

/** An entity that this release does not know invalidates nothing. */
const ofNamed = (entity: keyof typeof ofEntity): Stale =>
  Object.hasOwn(ofEntity, entity) ? ofEntity[entity] : []
