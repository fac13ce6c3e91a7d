import type { QueryClient } from '@tanstack/react-query'
import type { Line, Visit } from '@/api/types'
import { lineQuery, pendingQuery, todayQuery, visitKeys } from './queries'
import { isOpen, stageOf } from './stage'
import { offerUndo } from './undo'

/** Writes a visit that the user has changed into the cached lists, and offers to undo the change. */
export function knowOwn(client: QueryClient, visit: Visit) {
  know(client, visit)
  offerUndo(visit)
}

/**
 * Writes a returned visit into the cached lists at once. Dependent queries follow with the live event of this change;
 * while disconnected, the lists are refetched on reconnect.
 */
export function know(client: QueryClient, visit: Visit) {
  client.setQueryData(todayQuery().queryKey, (visits) => visits && put(visits, visit))
  client.setQueryData(
    pendingQuery.queryKey,
    (visits) => visits && putWhere(visits, visit, visit.status === 'new'),
  )
  client.setQueryData(lineQuery.queryKey, (line) => line && placed(line, visit))
}

const put = (visits: Visit[], visit: Visit) =>
  visits.some(({ id }) => id === visit.id)
    ? visits.map((one) => (one.id === visit.id && one.version <= visit.version ? visit : one))
    : [...visits, visit]

/** The list with the visit if it belongs there, and without it otherwise. */
const putWhere = (visits: Visit[], visit: Visit, belongs: boolean) =>
  belongs ? put(visits, visit) : visits.filter(({ id }) => id !== visit.id)

/** A visit that waits has its place with the next answer of the server, which alone knows the order. */
function placed(line: Line, visit: Visit): Line {
  const stage = stageOf(visit)
  const left = line.leftOver.some(({ id }) => id === visit.id)
  const [held, missed] = [stage === 'held' && !left, stage === 'missed' && !left]
  return {
    ...line,
    line: line.line.filter(({ visitId }) => visitId !== visit.id || stage === 'waiting'),
    held: putWhere(line.held, visit, held),
    missed: putWhere(line.missed, visit, missed),
    leftOver: putWhere(line.leftOver, visit, left && isOpen(visit) && stage !== 'waiting'),
  }
}

/** A rejected change usually means that a colleague was first: the refetched state is shown beside the reason. */
export const askAgain = (client: QueryClient) => client.invalidateQueries({ queryKey: visitKeys.all })
