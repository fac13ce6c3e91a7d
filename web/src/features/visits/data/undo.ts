import { useSyncExternalStore } from 'react'
import type { UndoableAction, Visit } from '@/api/types'
import { serverNow } from '@/clock'
import type { VisitRef } from './intent'

/** A change of this tab's user that can be undone. */
export type Offer = {
  /** What was changed at once, each with its version after the change. */
  visits: readonly VisitRef[]
  action: UndoableAction
  /** An approval without a consultant. */
  toLine: boolean
  /** By the server's clock. */
  until: string
}

/** Newest first. This is not server state: it lists changes made in this tab, for as long as they can be undone. */
let offers: readonly Offer[] = []
const listeners = new Set<() => void>()

function replace(next: readonly Offer[]) {
  if (next.length === offers.length && next.every((one, index) => one === offers[index])) return
  offers = next
  listeners.forEach((listener) => listener())
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The offers for the visits that are kept; an offer that keeps all its visits is the same one. */
const offersFor = (isKept: (visit: VisitRef) => boolean): readonly Offer[] =>
  offers
    .map((offer) => (offer.visits.every(isKept) ? offer : { ...offer, visits: offer.visits.filter(isKept) }))
    .filter(({ visits }) => visits.length > 0)

const isOther = (visits: readonly VisitRef[]) => (visit: VisitRef) =>
  visits.every(({ id }) => id !== visit.id)

/** Offers to undo the last change of visits that were changed at once, as long as the server allows it. */
export function offerUndo(changed: readonly Visit[]) {
  const others = offersFor(isOther(changed))
  const undoable = changed.filter(({ queue }) => queue.undo)
  const [undo] = undoable.flatMap(({ queue }) => queue.undo ?? []).toSorted(byEnd)
  const visits = undoable.map(({ id, token, version }) => ({ id, token, version }))
  const toLine = undoable.every(({ assignedConsultantId }) => assignedConsultantId === null)
  replace(undo ? [{ visits, action: undo.action, toLine, until: undo.until }, ...others] : others)
}

const byEnd = (one: { until: string }, other: { until: string }) =>
  Date.parse(one.until) - Date.parse(other.until)

/** Leaves a visit that has changed again out of its offer. */
export const withdrawOlder = (id: string, version: number) =>
  replace(offersFor((visit) => visit.id !== id || visit.version >= version))

/** Withdraws an offer that was used or has failed. */
export const withdrawUndo = ({ visits }: Offer) => replace(offersFor(isOther(visits)))

/** Withdraws the offers whose time is over. */
export const expireUndo = (now = serverNow()) =>
  replace(offers.filter(({ until }) => Date.parse(until) > now))

/** Withdraws all offers, as at the end of a session. */
export const forgetUndo = () => replace([])

/** The changes that can be undone, newest first. */
export const useUndoOffers = () => useSyncExternalStore(subscribe, () => offers)
