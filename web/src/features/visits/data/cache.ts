import type { QueryClient } from '@tanstack/react-query'
import type { Line, Visit } from '@/api/types'
import { inBackground } from '@/in-background'
import { lineQuery, pendingQuery, todayQuery, visitKeys } from './queries'
import { isOpen, stageOf } from './stage'

/**
 * Writes the visit of a response into the cached lists. The live event of the change invalidates the queries
 * that depend on the visit. After a lost connection the event is replayed, or all queries are invalidated.
 */
export function setVisitData(client: QueryClient, visit: Visit) {
  client.setQueryData(todayQuery().queryKey, (list) => list && { ...list, rows: put(list.rows, visit) })
  client.setQueryData(
    pendingQuery.queryKey,
    (list) => list && { ...list, rows: putWhere(list.rows, visit, visit.status === 'new') },
  )
  client.setQueryData(lineQuery.queryKey, (line) => line && placed(line, visit))
}

const put = (visits: Visit[], visit: Visit) =>
  visits.some(({ id }) => id === visit.id)
    ? visits.map((one) =>
        one.id === visit.id && one.version <= visit.version ? withForecast(visit, one) : one,
      )
    : [...visits, visit]

/** A response has no forecast. If the stage is the same, the visit keeps its forecast until the next refetch. */
const withForecast = (visit: Visit, before: Visit): Visit =>
  stageOf(visit) === stageOf(before) && before.queue.forecast
    ? { ...visit, queue: { ...visit.queue, forecast: before.queue.forecast } }
    : visit

/** The list with the visit if it belongs there, otherwise without it. */
const putWhere = (visits: Visit[], visit: Visit, belongs: boolean) =>
  belongs ? put(visits, visit) : visits.filter(({ id }) => id !== visit.id)

/** A visit that waits again is added by the refetch only: the server computes its place in the line. */
function placed(line: Line, visit: Visit): Line {
  const stage = stageOf(visit)
  const earlier = [...line.leftOver, ...(line.carried ?? []), ...(line.ended ?? [])]
  const left = earlier.some(({ id }) => id === visit.id)
  const [held, missed] = [stage === 'held' && !left, stage === 'missed' && !left]
  return {
    ...line,
    line: line.line.filter(({ visitId }) => visitId !== visit.id || stage === 'waiting'),
    held: putWhere(line.held, visit, held),
    missed: putWhere(line.missed, visit, missed),
    leftOver: putWhere(line.leftOver, visit, left && isOpen(visit) && stage !== 'waiting'),
    carried: putWhere(line.carried ?? [], visit, left && stage === 'waiting'),
    ended: putWhere(line.ended ?? [], visit, left && !isOpen(visit)),
  }
}

/**
 * Refetches all visits after a failed change, without waiting for the response (see renewAfter). After a rejection,
 * the screen then shows what a colleague has changed.
 */
export const invalidateVisits = (client: QueryClient) =>
  inBackground(client.invalidateQueries({ queryKey: visitKeys.all }))
