import { useState } from 'react'
import type { Place, Visit } from '@/api/types'
import { subjectOf, subjectOfPlace, type Subject } from '@/features/visits/data/actions'
import type { VisitRef } from '@/features/visits/data/intent'
import { stageOf } from '@/features/visits/data/stage'

/** A visitor of My Queue: a place in the line, a visit that is assigned to the consultant, or both. */
export type Row = VisitRef & { tokenAlso: string | undefined } & (
    { visit: Visit; place: Place | undefined } | { visit: undefined; place: Place }
  )

const isCalled = (visit: Visit) => stageOf(visit) === 'called'

/**
 * The order of My Queue: first the called visitor, then the line as the server has ordered it, then assigned visitors
 * who wait without a place. A place is left out if its visit is known and does not wait any more.
 */
export function rowsOf(visits: readonly Visit[], line: readonly Place[]): Row[] {
  const known = new Map(visits.map((visit) => [visit.id, visit]))
  const places = line.filter(({ visitId }) => {
    const visit = known.get(visitId)
    return !visit || stageOf(visit) === 'waiting'
  })
  const placed = new Set(places.map(({ visitId }) => visitId))
  const others = visits.filter((visit) => stageOf(visit) === 'waiting' && !placed.has(visit.id))
  return [
    ...visits.filter(isCalled).map(rowOfVisit),
    ...places.map((place) => rowOfPlace(place, known.get(place.visitId))),
    ...others.map(rowOfVisit),
  ]
}

const rowOfVisit = (visit: Visit): Row => ({
  id: visit.id,
  token: visit.token,
  tokenAlso: visit.tokenAlso,
  version: visit.version,
  visit,
  place: undefined,
})

const rowOfPlace = (place: Place, visit: Visit | undefined): Row => {
  const { visitId: id, token, tokenAlso } = place
  const of = { id, token, tokenAlso, version: Math.max(place.version, visit?.version ?? 0) }
  return visit ? { ...of, visit, place } : { ...of, visit, place }
}

/** Whether the visitor waits for this consultant alone. */
export const isAssigned = ({ visit, place }: Row) => visit !== undefined || place.pinnedTo !== null

/** The subject of the visitor's menu. If there is only a place, the visit is unknown. */
export const subjectOfRow = ({ visit, place, version }: Row, today: string): Subject => {
  if (visit) return { ...subjectOf(visit, today), version }
  return subjectOfPlace(place, [])
}

/**
 * My Queue as it is shown. The visits and the line come in separate responses. While one of them is being read, no new
 * assigned visitor is added, because the name or the place would be missing until the other response.
 */
export function useMyLine(mine: readonly Visit[], line: readonly Place[], isReading: boolean): Row[] {
  const rows = rowsOf(mine, line)
  const ids = rows.map(({ id }) => id).join()
  const [settled, setSettled] = useState(ids)
  if (!isReading && settled !== ids) setSettled(ids)
  const isWhole = ({ visit, place }: Row) =>
    visit ? isCalled(visit) || place !== undefined : place.pinnedTo === null
  return rows.filter((row) => !isReading || isWhole(row) || settled.includes(row.id))
}
