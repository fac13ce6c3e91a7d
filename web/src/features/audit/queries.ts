import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, payload } from '@/api/client'
import { Fault } from '@/api/fault'
import type { AuditEntity } from '@/api/types'
import { messages } from '@/messages'

export const auditKeys = {
  dashboard: ['audit', 'dashboard'] as const,
  trail: ['audit', 'trail'] as const,
}

/** Today's counts and what was measured. Rejects with 'Failed to load dashboard statistics'. */
export const dashboardQuery = queryOptions({
  queryKey: auditKeys.dashboard,
  queryFn: ({ signal }) =>
    saying(messages.audit.statsFailed, payload(api.GET('/api/analytics/dashboard', { signal }))),
  meta: { failure: messages.visits.loadFailed },
})

/** The average wait that the statistics show, whatever the visits: the measured one stands beside it. */
export const statedWaitMinutes = 22

export type TrailFilters = { start?: string; end?: string; entity?: AuditEntity; entityId?: string }
export type TrailRequest = TrailFilters & {
  page: number
  /** Grows with each press of the button, so that the same filters load anew. */
  press: number
}

export const trailPageSize = 50

/** A page of the audit trail. Empty filters are left out. Rejects with 'Failed to load audit trail'. */
export const trailQuery = (request: TrailRequest | null) =>
  queryOptions({
    queryKey: [...auditKeys.trail, request],
    queryFn: async ({ signal }) => {
      const { start, end, entity, entityId, page = 1 } = request ?? {}
      const query = {
        page,
        limit: trailPageSize,
        ...(entity ? { entity } : {}),
        ...(entityId ? { entity_id: entityId } : {}),
        ...(start ? { start_date: start } : {}),
        ...(end ? { end_date: end } : {}),
      }
      return saying(
        messages.audit.trail.failed,
        payload(api.GET('/api/analytics/audit', { params: { query }, signal })),
      )
    },
    enabled: request !== null,
    placeholderData: keepPreviousData,
    gcTime: 0,
    meta: { failure: messages.audit.trail.failed },
  })

async function saying<T>(message: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (cause) {
    throw cause instanceof Fault ? cause.saying(message) : cause
  }
}
