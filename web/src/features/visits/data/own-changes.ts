import { mutationOptions, type QueryClient } from '@tanstack/react-query'
import { api, payload } from '@/api/client'
import { intentionKeys, type IntentionKeys } from '@/api/intention-keys'
import type { UndoableAction, Visit } from '@/api/types'
import { serverNow } from '@/clock'
import { fill } from '@/messages'
import { addEntry, addSuccess, changeEntry, clearShelf, freshMs, removeEntry } from '@/shelf'
import { messages } from '@/staff-messages'
import type { Batch } from './batch-request'
import { invalidateVisits, setVisitData } from './cache'
import type { VisitRef } from './intent'
import { visitOf } from './stage'

const text = messages.life.undo

/** Changes by this tab's user that one undo reverses together. */
type Offer = {
  /** The key of the offer's entry on the shelf. */
  key: string
  /** The visits that were changed, each with its version after the change. */
  visits: readonly VisitRef[]
  action: UndoableAction
  /** Whether the action was an approval without a consultant. */
  toLine: boolean
  /** Until when the server allows the undo, in milliseconds by its clock. */
  until: number
  client: QueryClient
  /** The idempotency keys of the requests that undo the changes. A request keeps its key until it is answered. */
  keys: IntentionKeys
}

let offers: readonly Offer[] = []

/** Writes a visit that this user has changed into the cached lists, and shows the change on the shelf. */
export const applyOwnChange = (client: QueryClient, visit: Visit, success?: string) =>
  applyOwnChanges(client, [visit], success)

/**
 * Writes visits that this user has changed with one action into the cached lists. One entry of the shelf shows the text
 * of the success and then what has changed, and undoes all the changes.
 */
export function applyOwnChanges(client: QueryClient, visits: readonly Visit[], success?: string) {
  for (const visit of visits) write(client, visit)
  // The answer of a repeated request may be older than the time that the server allows for the undo.
  const isOpen = ({ queue: { undo } }: Visit) => undo && Date.parse(undo.until) >= serverNow() + freshMs
  const open = visits.filter(isOpen)
  const offer = offerOf(client, open.length > 0 ? open : visits)
  if (!offer) {
    if (success) addSuccess(success)
    return
  }
  const { key, until } = offer
  const sentence = sentenceOf(offer)
  if (open.length === 0) {
    addSuccess(success ?? sentence)
    return
  }
  offers = [offer, ...offers.filter((other) => other.key !== key && other.until > serverNow())]
  addEntry({ key, until, text: success ?? sentence, sentence, take: undoOf(offer) })
}

/** Writes a visit into the cached lists, and withdraws the outdated offer to undo its earlier change. */
function write(client: QueryClient, visit: Visit) {
  setVisitData(client, visit)
  withdrawOlder(visit.id, visit.version)
}

/** The offer to undo the changes that the server allows to undo; undefined if there are none. */
function offerOf(client: QueryClient, changed: readonly Visit[]): Offer | undefined {
  const undoable = changed.filter(({ queue }) => queue.undo)
  const [undo] = undoable.flatMap(({ queue }) => queue.undo ?? []).toSorted(byEnd)
  if (!undo) return undefined
  const visits = undoable.map(({ id, token, version }) => ({ id, token, version }))
  return {
    key: visits.map(({ id, version }) => `${id}/${version}`).join(),
    visits,
    action: undo.action,
    toLine: undoable.every(({ assignedConsultantId }) => assignedConsultantId === null),
    until: Date.parse(undo.until),
    client,
    keys: intentionKeys(),
  }
}

const byEnd = (one: { until: string }, other: { until: string }) =>
  Date.parse(one.until) - Date.parse(other.until)

/** Removes a visit from the offers to undo changes that are older than the given version. */
export function withdrawOlder(id: string, version: number) {
  offers = offers.flatMap((offer) => {
    const visits = offer.visits.filter((visit) => visit.id !== id || visit.version >= version)
    if (visits.length === offer.visits.length) return [offer]
    if (visits.length === 0) {
      removeEntry(offer.key)
      return []
    }
    const left = { ...offer, visits }
    changeEntry(offer.key, { sentence: sentenceOf(left), take: undoOf(left) })
    return [left]
  })
}

/** Withdraws all offers, for example when the user signs out. */
export function forgetOffers() {
  offers = []
  clearShelf()
}

function sentenceOf({ action, toLine, visits }: Offer): string {
  const [only, ...others] = visits
  if (only && others.length === 0) return fill(text.sentences[action], { token: only.token })
  const kind = action === 'approve' && toLine ? 'line' : action
  const { several } = text
  const sentence = kind in several ? several[kind as keyof typeof several] : several.changed
  return fill(sentence, { count: visits.length })
}

function undoOf({ visits, client, keys }: Offer) {
  const [visit, ...others] = visits
  const mutations = client.getMutationCache()
  return (): Promise<unknown> => {
    if (!visit || others.length > 0)
      return mutations.build(client, undoSeveral).execute({ visits, change: { action: 'undo' }, keys })
    return mutations.build(client, undoChange).execute({ visit, key: keys.keyFor(visit) })
  }
}

export const undoChange = mutationOptions({
  mutationKey: ['visits', 'undo'],
  mutationFn: async ({ visit: { id, version }, key }: { visit: VisitRef; key: string }) => {
    const params = { path: { id }, header: { 'Idempotency-Key': key } }
    return visitOf((await payload(api.POST('/api/visits/{id}/undo', { params, body: { version } }))).visit)
  },
  onSuccess: (visit, _variables, _onMutateResult, { client }) => write(client, visit),
  onError: (_error, _variables, _onMutateResult, { client }) => invalidateVisits(client),
  meta: {
    success: ({ token }: Visit) => fill(text.done, { token }),
    failure: ({ visit: { token } }: { visit: VisitRef }) => fill(text.failed, { token }),
    unanswered: messages.problems.unreached,
  },
})

/** Undoes the last change of several visits. */
const undoSeveral = mutationOptions({
  mutationKey: ['visits', 'undo-several'],
  mutationFn: async (batch: Batch, { client }) => {
    // The module is already loaded by the dashboards that change several visits at once.
    const { sendBatch } = await import('./batch-request')
    return sendBatch(batch, (undone) => undone.forEach((visit) => write(client, visit)))
  },
  onError: (_error, _batch, _onMutateResult, { client }) => invalidateVisits(client),
  meta: {
    success: (undone: Visit[]) => fill(text.doneSeveral, { count: undone.length }),
    failure: messages.life.failedSeveral,
    unanswered: messages.problems.unreached,
  },
})
