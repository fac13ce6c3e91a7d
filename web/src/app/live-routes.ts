import type { QueryKey } from '@tanstack/react-query'
import type { LiveEvent } from '@/api/types'
import { appointmentKeys } from '@/features/appointments/queries'
import { auditKeys } from '@/features/audit/queries'
import { sessionQuery } from '@/features/auth/session'
import { directoryKeys } from '@/features/directory/queries'
import { notificationKeys } from '@/features/notifications/queries'
import { visitKeys } from '@/features/visits/queries'

/** What an event makes old: some queries, all of them, or nothing. */
export type Stale = readonly QueryKey[] | 'everything'

const ofEntity = {
  service: [directoryKeys.services],
  consultant: [directoryKeys.consultants],
  appointment: [appointmentKeys.all],
  user: [directoryKeys.users, sessionQuery.queryKey],
} satisfies Record<string, readonly QueryKey[]>

/** What the audit service makes of visits. */
const counted = [auditKeys.dashboard, auditKeys.history, auditKeys.figures]
/** A change of which only the visit is known may be any of the changes. */
const anyVisitChange = [visitKeys.today, visitKeys.pending, directoryKeys.consultants, ...counted]

/** The one place that knows which queries a live event makes old. A new type of event does not compile until it is here. */
export function staleAfter(event: LiveEvent): Stale {
  switch (event.type) {
    case 'visit_created':
    case 'visit_denied':
      return [visitKeys.today, visitKeys.pending, ...counted]
    case 'visit_approved':
      return anyVisitChange
    case 'visit_in_session':
    case 'visit_completed':
      return [visitKeys.today, directoryKeys.consultants, ...counted]
    case 'status_update':
      if ('reset' in event.data) return 'everything'
      return 'entity' in event.data ? ofEntity[event.data.entity] : anyVisitChange
    case 'notification':
      return [notificationKeys.received]
    case 'connection':
    case 'heartbeat':
      return []
  }
}
