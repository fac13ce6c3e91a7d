import type { Arrival, Attention, Return, Visit } from '@/api/types'

type Door = { arrivals: readonly Arrival[]; returns: readonly Return[] }

/** An entry of the server's list, with its visit if today's list contains it. */
export type Listed = Attention & { known: Visit | undefined }

/**
 * What needs attention: an entry of the server's list, a visitor who asks for a token at the door (`arrival`), or a
 * visitor who is back after a missed call (`return`).
 */
export type Need =
  | Listed
  | { kind: 'arrival'; id: string; since: string; arrival: Arrival }
  | { kind: 'return'; id: string; since: string; token: string; visit: Visit }

type Kind = Need['kind']

const door: readonly Kind[] = ['arrival', 'return']
const urgent: readonly Kind[] = ['call_unanswered', 'desk_without_number']
const others: readonly Kind[] = ['papers_missing', 'waiting_long', 'appointment_late', 'pin_away']

/** The order of the kinds, the most urgent first. At reception the visitors at the door come first. */
const orderFor = (role: string) =>
  role === 'reception' ? [...door, ...urgent, ...others] : [...urgent, ...door, ...others]

/** Arrivals and returns are ranked as one kind, so that they are sorted together by time. */
const rankOf = (kind: Kind, order: readonly Kind[]) => order.indexOf(kind === 'return' ? 'arrival' : kind)

export type Sources = {
  listed: readonly Attention[]
  door: Door
  today: readonly Visit[]
  role: string
}

/** Everything that needs attention, the most urgent first. Kinds of a later release are left out. */
export function needsOf({ listed, door: { arrivals, returns }, today, role }: Sources): Need[] {
  const visits = new Map(today.map((visit) => [visit.id, visit]))
  const order = orderFor(role)
  const needs: Need[] = [
    ...listed.map((entry) => ({ ...entry, known: visits.get(entry.visit?.id ?? '') })),
    ...arrivals.map((arrival) => ({
      kind: 'arrival' as const,
      id: arrival.id,
      since: arrival.createdAt,
      arrival,
    })),
    ...returns.flatMap(({ visitId, token, at }) => {
      const visit = visits.get(visitId)
      if (visit?.queue.stage !== 'missed') return []
      return [{ kind: 'return' as const, id: visitId, since: at, token, visit }]
    }),
  ]
  return needs
    .filter(({ kind }) => order.includes(kind))
    .toSorted(
      (one, other) =>
        rankOf(one.kind, order) - rankOf(other.kind, order) ||
        Date.parse(one.since) - Date.parse(other.since),
    )
}

/** The subject of an entry, such as a token or a name, for the accessible names of its buttons. */
export function subjectOfNeed(need: Need): string {
  switch (need.kind) {
    case 'arrival':
      return need.arrival.name
    case 'return':
      return need.token
    default:
      return need.visit?.token ?? need.consultant?.name ?? need.values.service ?? ''
  }
}
