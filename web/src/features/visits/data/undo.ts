import { useSyncExternalStore } from 'react'
import type { UndoableAction, Visit } from '@/api/types'
import { serverNow } from '@/clock'

/** A change of this tab's user that can be undone. */
export type Offer = {
  id: string
  token: string
  version: number
  action: UndoableAction
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

/** Offers to undo the last change of a visit, as long as the server allows it. */
export function offerUndo({ id, token, version, queue: { undo } }: Visit) {
  const others = offers.filter((offer) => offer.id !== id)
  replace(undo ? [{ id, token, version, action: undo.action, until: undo.until }, ...others] : others)
}

/** Withdraws the offer for a visit that has changed again. */
export const withdrawOlder = (id: string, version: number) =>
  replace(offers.filter((offer) => offer.id !== id || offer.version >= version))

/** Withdraws an offer that was used or has failed. */
export const withdrawUndo = (id: string) => replace(offers.filter((offer) => offer.id !== id))

/** Withdraws the offers whose time is over. */
export const expireUndo = (now = serverNow()) =>
  replace(offers.filter(({ until }) => Date.parse(until) > now))

/** Withdraws all offers, as at the end of a session. */
export const forgetUndo = () => replace([])

/** The changes that can be undone, newest first. */
export const useUndoOffers = () => useSyncExternalStore(subscribe, () => offers)
