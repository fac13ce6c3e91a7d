import type { QueryClient } from '@tanstack/react-query'
import type { Desk, Line, Place } from '@/api/types'
import type { Intent, VisitRef } from './intent'
import { lineQuery } from './queries'

/** Moves a place of the line before another place. Returns the line unchanged if it lacks either place. */
export function movedBefore(line: readonly Place[], id: string, before: string | null): readonly Place[] {
  const moved = line.find(({ visitId }) => visitId === id)
  const rest = line.filter(({ visitId }) => visitId !== id)
  const index = rest.findIndex(({ visitId }) => visitId === before)
  if (!moved || index < 0) return line
  return rest.toSpliced(index, 0, moved).map((place, at) => ({ ...place, position: at + 1 }))
}

/**
 * The id of the visit before which a visit is moved to go a place up (-1) or down (1); undefined at either end. A visit
 * cannot be moved behind the last visit, because a move names the visit that follows.
 */
export function neighbourFor(line: readonly Place[], id: string, by: -1 | 1): string | undefined {
  const index = line.findIndex(({ visitId }) => visitId === id)
  const target = by === -1 ? line[index - 1] : line[index + 2]
  return index < 0 ? undefined : target?.visitId
}

/** The cached line, which `rollBackLine` restores after a failed change. */
export const lineSnapshot = (client: QueryClient) => client.getQueryData(lineQuery.queryKey)

export const rollBackLine = (client: QueryClient, before: Line | undefined) =>
  void client.setQueryData(lineQuery.queryKey, (now) => before ?? now)

/** The optimistic update: shows a change in the line before the response. */
export function updateLine(client: QueryClient, { id }: VisitRef, intent: Intent) {
  client.setQueryData(lineQuery.queryKey, (line) => line && optimisticLine(line, id, intent))
}

function optimisticLine(line: Line, id: string, intent: Intent): Line {
  switch (intent.action) {
    case 'move':
      return { ...line, line: [...movedBefore(line.line, id, intent.body.before)] }
    case 'pin':
      return { ...line, line: line.line.map(pinnedTo(id, line.desks, intent.body.consultant_id)) }
    case 'hold':
    case 'leave':
    case 'cancel':
    case 'call':
      return { ...line, line: line.line.filter(({ visitId }) => visitId !== id) }
    default:
      return line
  }
}

const pinnedTo = (id: string, desks: readonly Desk[], consultant: string | null) => (place: Place) => {
  if (place.visitId !== id) return place
  const desk = desks.find(({ consultantId }) => consultantId === consultant)
  return { ...place, pinnedTo: desk ? { id: desk.consultantId, name: desk.name } : null }
}
