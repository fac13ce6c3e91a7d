import { mutationOptions, type QueryClient } from '@tanstack/react-query'
import { api, payload } from '@/api/client'
import { isUnanswered } from '@/api/fault'
import { isRefusal } from '@/api/refusal'
import { sessionStore } from '@/api/session-store'
import type { NewVisit, Visit } from '@/api/types'
import { forgetDraft } from '@/drafts'
import { pairedDesk } from '@/live/offline-port'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { invalidateVisits } from './cache'
import { usualMeans } from './consents'
import { forgetUnsaved, sessionDraft } from './draft'
import type { VisitRef } from './intent'
import { applyOwnChange } from './own-changes'
import { lookupQuery } from './queries'
import { visitOf } from './stage'

/**
 * A registration and its idempotency key. A `quiet` registration shows no toast if there is no response: an
 * earlier registration has shown that toast. One sent `again` shows a toast only if it is refused.
 */
export type Registration = { visit: NewVisit; key: string; quiet?: boolean; again?: boolean }

/** The id that is sent when no user is stored; the server uses the session's user. */
const unknownReception = 'reception-001'

async function register({ visit, key }: Registration, signal?: AbortSignal): Promise<Visit> {
  const { serviceId, notes = '', ...entered } = visit
  const body = {
    ...entered,
    told_by: entered.told_by ?? usualMeans,
    notes,
    service_id: serviceId,
    serviceId,
    reception_id: sessionStore.user()?.id ?? unknownReception,
  }
  const params = { header: { 'Idempotency-Key': key } }
  const answer = await payload(api.POST('/api/visits', { body, params, ...(signal ? { signal } : {}) }))
  return visitOf(answer.visit)
}

/**
 * Registers a visitor. The idempotency key belongs to one submission: a retry after a lost response creates no second
 * token.
 */
export const createVisit = mutationOptions({
  mutationKey: ['visits', 'create'],
  mutationFn: async (registration: Registration, { client }) => {
    const send = (signal?: AbortSignal) => register(registration, signal)
    const desk = await pairedDesk()
    if (!desk) return send()
    const { visit } = registration
    const told = { ...registration, visit: { ...visit, told_by: visit.told_by ?? usualMeans } }
    return desk.registerAtPairedDesk(client, told, send)
  },
  onSuccess: (visit, { visit: { phone } }, _onMutateResult, { client }) => {
    applyOwnChange(client, visit, fill(messages.visits.created, { token: visit.token }))
    // A visitor with this phone number is known now, so an earlier lookup is outdated.
    client.removeQueries({ queryKey: lookupQuery(phone).queryKey })
  },
  meta: {
    failure: ({ quiet, again }: Registration, error) =>
      (quiet && isUnanswered(error)) || (again && !isRefusal(error))
        ? undefined
        : messages.visits.createFailed,
    unanswered: messages.connection.kept,
  },
})

export type Decision = { visit: Visit; notes: string } & (
  | { status: 'approved'; consultantId: string; paId: string }
  | { status: 'approved'; line: true }
  | { status: 'denied' }
)

/** Approves a visitor for a consultant or for the line, or denies the visit. */
export const decideVisit = mutationOptions({
  mutationKey: ['visits', 'decide'],
  mutationFn: (decision: Decision) =>
    changeStatus(decision.visit, {
      status: decision.status,
      notes: decision.notes,
      ...assignmentOf(decision),
    }),
  onSuccess: (visit, { status }, _onMutateResult, { client }) =>
    applyOwnChange(client, visit, status === 'denied' ? messages.visits.denied : messages.visits.approved),
  onError: (_error, _decision, _onMutateResult, { client }) => invalidateVisits(client),
  meta: {
    failure: ({ status }: Decision) =>
      status === 'denied' ? messages.visits.denyFailed : messages.visits.approveFailed,
  },
})

function assignmentOf(decision: Decision) {
  if ('line' in decision) return { line: true }
  if (decision.status === 'denied') return {}
  return { assigned_consultant_id: decision.consultantId, pa_id: decision.paId }
}

const metaOfStart = { failure: messages.visits.startFailed, unanswered: messages.problems.unreached }

const applyStart = (client: QueryClient, visit: Visit) =>
  applyOwnChange(client, visit, fill(messages.visits.started, { name: visit.name }))

/** Starts the session of an approved visitor. */
export const startSession = mutationOptions({
  mutationKey: ['visits', 'start'],
  mutationFn: (visit: Pick<Visit, 'id'>) => changeStatus(visit, { status: 'in-session', notes: '' }),
  onSuccess: (visit, _before, _onMutateResult, { client }) => applyStart(client, visit),
  onError: (_error, _visit, _onMutateResult, { client }) => invalidateVisits(client),
  meta: metaOfStart,
})

/** Starts the session of a visitor of the common line, and assigns the visitor to the caller. */
export const takeVisitor = mutationOptions({
  mutationKey: ['visits', 'take'],
  mutationFn: async ({ visit: { id, version }, key }: { visit: VisitRef; key: string }) => {
    const params = { path: { id }, header: { 'Idempotency-Key': key } }
    return visitOf((await payload(api.POST('/api/visits/{id}/start', { params, body: { version } }))).visit)
  },
  onSuccess: (visit, _variables, _onMutateResult, { client }) => applyStart(client, visit),
  onError: (_error, _variables, _onMutateResult, { client }) => invalidateVisits(client),
  meta: metaOfStart,
})

export const completeSession = mutationOptions({
  mutationKey: ['visits', 'complete'],
  mutationFn: ({ visit, notes }: { visit: Visit; notes: string }) =>
    changeStatus(visit, { status: 'completed', notes }),
  onSuccess: (visit, _variables, _onMutateResult, { client }) => {
    forgetUnsaved()
    forgetDraft(sessionDraft(visit))
    applyOwnChange(client, visit, messages.visits.completed)
  },
  onError: (_error, _variables, _onMutateResult, { client }) => invalidateVisits(client),
  meta: { failure: messages.visits.completeFailed },
})

type StatusChange = {
  status: 'approved' | 'denied' | 'in-session' | 'completed'
  notes: string
  assigned_consultant_id?: string
  pa_id?: string
  line?: boolean
}

async function changeStatus({ id }: Pick<Visit, 'id'>, body: StatusChange) {
  const params = { path: { id } }
  return visitOf((await payload(api.PUT('/api/visits/{id}/status', { params, body }))).visit)
}
