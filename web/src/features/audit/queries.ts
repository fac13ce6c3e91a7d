import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, payload } from '@/api/client'
import { Fault } from '@/api/fault'
import type { AuditEntity } from '@/api/types'
import { messages } from '@/staff-messages'

export const auditKeys = {
  dashboard: ['audit', 'dashboard'] as const,
  trail: ['audit', 'trail'] as const,
  history: ['audit', 'history'] as const,
  figures: ['audit', 'figures'] as const,
}

/** Today's counts and measured figures. Rejects with 'Failed to load dashboard statistics'. */
export const dashboardQuery = queryOptions({
  queryKey: auditKeys.dashboard,
  queryFn: ({ signal }) =>
    withMessage(messages.audit.statsFailed, payload(api.GET('/api/analytics/dashboard', { signal }))),
  meta: { failure: messages.visits.loadFailed },
})

/** The average wait that the office publishes; the measured average is shown beside it. */
export const statedWaitMinutes = 22

export type TrailFilters = {
  start?: string
  end?: string
  entity?: AuditEntity
  entityId?: string
  /** A token, or beginnings of the words of a visitor's name. */
  q?: string
}
export type TrailRequest = TrailFilters & { page: number }

export const trailPageSize = 50

/** A page of the audit trail. Empty filters are omitted. Rejects with 'Failed to load audit trail'. */
export const trailQuery = (request: TrailRequest | null) =>
  queryOptions({
    queryKey: [...auditKeys.trail, request],
    queryFn: async ({ signal }) => {
      const { start, end, entity, entityId, q, page = 1 } = request ?? {}
      const query = {
        page,
        limit: trailPageSize,
        ...(entity ? { entity } : {}),
        ...(entityId ? { entity_id: entityId } : {}),
        ...(q ? { q } : {}),
        ...(start ? { start_date: start } : {}),
        ...(end ? { end_date: end } : {}),
      }
      return withMessage(
        messages.audit.trailFailed,
        payload(api.GET('/api/analytics/audit', { params: { query }, signal })),
      )
    },
    enabled: request !== null,
    placeholderData: keepPreviousData,
    gcTime: 0,
    meta: { failure: messages.audit.trailFailed },
  })

const longestLife = 100

/** The audit records of one visit, at most 100, oldest first. The server records each read in the trail. */
export const historyQuery = (visit: string) =>
  queryOptions({
    queryKey: [...auditKeys.history, visit],
    queryFn: async ({ signal }) => {
      const query = { entity: 'visit', entity_id: visit, limit: longestLife } as const
      const answer = await payload(api.GET('/api/analytics/audit', { params: { query }, signal }))
      return answer.audit_records.toReversed()
    },
    gcTime: 0,
  })

export type Subject = { kind: 'consultant' | 'service'; id: string }

/** Counts and times of a consultant or a service in a period of office days. */
export const figuresQuery = ({ kind, id }: Subject, { start, end }: { start: string; end: string }) =>
  queryOptions({
    queryKey: [...auditKeys.figures, kind, id, start, end],
    queryFn: async ({ signal }) => {
      const options = { params: { path: { id }, query: { start_date: start, end_date: end } }, signal }
      return kind === 'consultant'
        ? payload(api.GET('/api/analytics/consultants/{id}', options))
        : payload(api.GET('/api/analytics/services/{id}', options))
    },
    placeholderData: keepPreviousData,
    meta: { failure: messages.audit.figures.failed },
  })

async function withMessage<T>(message: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (cause) {
    throw cause instanceof Fault ? cause.withMessage(message) : cause
  }
}
