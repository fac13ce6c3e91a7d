import { mutationOptions, useMutation } from '@tanstack/react-query'
import { api, payload } from '@/api/client'
import { Fault, faultOf } from '@/api/fault'
import type { Bodies, Visit } from '@/api/types'
import { useIntentionKey } from '@/api/use-intention-key'
import { forgetDraft } from '@/drafts'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { applyOwnChanges, invalidateVisits } from './cache'
import { notesDraft } from './draft'
import type { VisitRef } from './intent'
import { visitOf } from './stage'

const text = messages.life

/** One change of several visits. */
export type Change = Omit<Bodies['BatchVisits'], 'visits' | 'notes'>

/** A visit with the notes of its decision, which are not those of reception in `Visit.notes`. */
type Decided = VisitRef & { decisionNotes?: string | undefined }

type Batch = { visits: readonly Decided[]; change: Change; key: string }
type Answer = Bodies['BatchAnswer']

/** The most visits of a request. */
const mostVisits = 50
/** The most refused visits that a toast names. */
const mostNamed = 3

/** Some visits were refused, each for its reason; the others were changed. */
class SomeRefused extends Fault {
  constructor(reasons: readonly string[]) {
    super(reasons.slice(0, mostNamed).join('\n'), { status: 409 })
  }
}

/** Changes several visits with one request, and offers one undo for those that were changed. */
export const changeSeveral = mutationOptions({
  mutationKey: ['visits', 'several'],
  mutationFn: async ({ visits, change, key }: Batch, { client }) => {
    const done: Visit[] = []
    const refused: string[] = []
    try {
      for (const [index, part] of partsOf(visits).entries()) {
        const { results } = await send(part, change, `${key}-${index}`)
        done.push(...results.flatMap(({ visit }) => (visit ? [visitOf(visit)] : [])))
        refused.push(...results.flatMap((result) => refusalOf(result, part)))
      }
    } finally {
      // After a part without a response, too: the parts before it were changed.
      if (change.action === 'approve') for (const visit of done) forgetDraft(notesDraft(visit))
      applyOwnChanges(client, done)
    }
    if (refused.length > 0) throw new SomeRefused(refused)
    return done
  },
  onError: (_error, _batch, _onMutateResult, { client }) => invalidateVisits(client),
  meta: {
    success: (done: Visit[], { change: { action } }: Batch) => {
      if (action === 'approve') return messages.visits.approved
      return action === 'undo' ? fill(text.undo.doneSeveral, { count: done.length }) : undefined
    },
    failure: ({ change }: Batch) =>
      change.action === 'approve' ? messages.visits.approveFailed : text.failedSeveral,
    unanswered: messages.problems.unreached,
  },
})

/** The parts that are sent one after the other: a request has one text of notes, and a limit of visits. */
function partsOf(visits: readonly Decided[]): (readonly Decided[])[] {
  const texts = new Set(visits.map(({ decisionNotes = '' }) => decisionNotes))
  return [...texts].flatMap((notes) => {
    const same = visits.filter(({ decisionNotes = '' }) => decisionNotes === notes)
    return Array.from({ length: Math.ceil(same.length / mostVisits) }, (_, part) =>
      same.slice(part * mostVisits, (part + 1) * mostVisits),
    )
  })
}

function send(visits: readonly Decided[], change: Change, key: string): Promise<Answer> {
  const notes = visits[0]?.decisionNotes
  const body = {
    ...change,
    ...(notes ? { notes } : {}),
    visits: visits.map(({ id, version }) => ({ id, version })),
  }
  return payload(api.POST('/api/visits/batch', { params: { header: { 'Idempotency-Key': key } }, body }))
}

/** The token of a refused visit with the reason; empty for a visit that was changed. */
function refusalOf({ id, error }: Answer['results'][number], visits: readonly VisitRef[]): string[] {
  if (!error) return []
  const token = visits.find((visit) => visit.id === id)?.token ?? ''
  return [`${token}: ${faultOf(409, error, error.error).message}`]
}

type After = { onAnswered?: () => void; onSettled?: () => void }

/** The function that changes several visits at once. */
export function useBatch() {
  const mutation = useMutation(changeSeveral)
  const { keyFor, done } = useIntentionKey()
  const act = (visits: readonly Decided[], change: Change, { onAnswered, onSettled }: After = {}) => {
    if (mutation.isPending || visits.length === 0) return
    const refs = visits.map(({ id, token, version, decisionNotes }) => ({
      id,
      token,
      version,
      decisionNotes,
    }))
    mutation.mutate(
      { visits: refs, change, key: keyFor({ refs, change }) },
      {
        onSettled: (_done, error) => {
          // The server stores refusals under the key: only a request without results is repeated with it.
          if (!error || error instanceof SomeRefused) {
            done()
            onAnswered?.()
          }
          onSettled?.()
        },
      },
    )
  }
  return { act, pending: mutation.isPending }
}
