import type { Line, Stage, Visit } from '@/api/types'
import type { VisitRef } from './intent'
import { stageOf } from './stage'
import { isAssignedTo, type Person } from './visit'

/** A visitor of one consultant: pinned while waiting, or called, on hold, missed or in session. */
export type Pinned = VisitRef & { stage?: Stage }

/** The stages in which a visit needs its consultant. */
const bound: readonly Stage[] = ['waiting', 'called', 'held', 'missed', 'in-session']

/**
 * The visitors whom no other consultant would serve, including those of earlier days. First come the visitors
 * bound to this consultant, then visitors in the line whose service no other consultant offers.
 */
export function leftBehind(
  consultant: Person,
  visits: readonly Visit[],
  line: Pick<Line, 'line' | 'desks' | 'leftOver' | 'carried'> | undefined,
): readonly Pinned[] {
  const own = [...visits, ...(line?.leftOver ?? []), ...(line?.carried ?? [])]
    .filter((visit) => isAssignedTo(visit, consultant) && bound.includes(stageOf(visit)))
    .map((visit) => ({ id: visit.id, token: visit.token, version: visit.version, stage: stageOf(visit) }))
  const others = line?.desks.filter(({ consultantId }) => consultantId !== consultant.id) ?? []
  const offered = (service: string) =>
    others.some(({ serves }) => serves.length === 0 || serves.includes(service))
  const stranded = (line?.line ?? [])
    .filter(({ pinnedTo, service }) => pinnedTo === null && !offered(service.id))
    .map(({ visitId, token, version }) => ({ id: visitId, token, version, stage: 'waiting' as const }))
  return [...own, ...stranded]
}
