import { api, payload } from '@/api/client'
import { Fault, faultOf } from '@/api/fault'
import type { IntentionKeys } from '@/api/intention-keys'
import type { Bodies, Visit } from '@/api/types'
import type { VisitRef } from './intent'
import { visitOf } from './stage'

export type Change = Omit<Bodies['BatchVisits'], 'visits' | 'notes'>

/** A visit with the notes of its decision. Before the decision, `Visit.notes` has the notes of reception. */
export type Decided = VisitRef & { decisionNotes?: string | undefined }

export type Batch = {
  visits: readonly Decided[]
  change: Change
  /** The idempotency keys of the requests. A request keeps its key until it is answered. */
  keys: IntentionKeys
}
type Answer = Bodies['BatchAnswer']

/** The most visits in one request. */
const mostVisits = 50
/** The most refused visits that a toast names. */
const mostNamed = 3

/** The server refused some visits, each for its own reason, and changed the other visits. */
export class SomeRefused extends Fault {
  constructor(reasons: readonly string[]) {
    super(reasons.slice(0, mostNamed).join('\n'), { status: 409 })
  }
}

/**
 * Changes several visits with as few requests as possible. `apply` gets the visits that were changed, even if a later
 * request has no response, and whether these are all visits of the batch.
 */
export async function sendBatch(
  { visits, change, keys }: Batch,
  apply: (done: readonly Visit[], all: boolean) => void,
): Promise<Visit[]> {
  const done: Visit[] = []
  const refused: string[] = []
  try {
    for (const part of partsOf(visits)) {
      const request = requestOf(part, change)
      const { results } = await send(request, keys.keyFor(request))
      // The server stores a refusal under the idempotency key, so another attempt needs a new key.
      keys.done(request)
      done.push(...results.flatMap(({ visit }) => (visit ? [visitOf(visit)] : [])))
      refused.push(...results.flatMap((result) => refusalOf(result, part)))
    }
  } finally {
    apply(done, done.length === visits.length)
  }
  if (refused.length > 0) throw new SomeRefused(refused)
  return done
}

/** Splits a batch into requests, because a request has one text of notes and at most `mostVisits` visits. */
function partsOf(visits: readonly Decided[]): (readonly Decided[])[] {
  const texts = new Set(visits.map(({ decisionNotes = '' }) => decisionNotes))
  return [...texts].flatMap((notes) => {
    const same = visits.filter(({ decisionNotes = '' }) => decisionNotes === notes)
    return Array.from({ length: Math.ceil(same.length / mostVisits) }, (_, part) =>
      same.slice(part * mostVisits, (part + 1) * mostVisits),
    )
  })
}

function requestOf(visits: readonly Decided[], change: Change): Bodies['BatchVisits'] {
  const notes = visits[0]?.decisionNotes
  return {
    ...change,
    ...(notes ? { notes } : {}),
    visits: visits.map(({ id, version }) => ({ id, version })),
  }
}

const send = (body: Bodies['BatchVisits'], key: string): Promise<Answer> =>
  payload(api.POST('/api/visits/batch', { params: { header: { 'Idempotency-Key': key } }, body }))

/** The token of a refused visit with the reason; empty for a visit that was changed. */
function refusalOf({ id, error }: Answer['results'][number], visits: readonly VisitRef[]): string[] {
  if (!error) return []
  const token = visits.find((visit) => visit.id === id)?.token ?? ''
  return [`${token}: ${faultOf(409, error, error.error).message}`]
}
