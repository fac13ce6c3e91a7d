import { useCallback, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import type { components } from '@/api/directory'
import { inBackground } from '@/in-background'
import type { AppointmentMode } from './request-appointment'
import { lastDay, type Offer } from './rules'

type Schemas = components['schemas']
export type Slot = Schemas['Slot']

/** The slots of a day as the office has them, and the first free one from that day on. */
export type DaySlots = {
  day: string
  open: boolean
  states: ReadonlyMap<string, Schemas['SlotState']>
  nextFree: Slot | null
}

const timeoutMs = 5_000

async function readSlots(day: string, stop: AbortSignal): Promise<DaySlots | undefined> {
  try {
    const response = await fetch(`/api/appointments/slots?from=${day}&days=1`, {
      signal: AbortSignal.any([stop, AbortSignal.timeout(timeoutMs)]),
    })
    const { days, nextFree } = (await response.json()) as Schemas['SlotsAnswer']
    const [{ open, slots } = { open: false, slots: [] }] = days
    return { day, open, states: new Map(slots.map(({ time, state }) => [time, state])), nextFree }
  } catch {
    return undefined
  }
}

/**
 * The slots of the chosen day, and a function that reads them again. They are undefined until the office has answered
 * and after a failure: then the office decides about the request. A simulated form asks nothing.
 */
export function useDaySlots(mode: AppointmentMode, offer: Offer, day: string) {
  const [slots, setSlots] = useState<DaySlots>()
  const asked = mode === 'live' && day >= offer.now.today && day <= lastDay(offer)

  const read = useCallback(
    async (stop: AbortSignal) => {
      const answer = await readSlots(day, stop)
      // At once, so that the focus can go to a time that is still free.
      if (!stop.aborted) flushSync(() => setSlots(answer))
    },
    [day],
  )

  useEffect(() => {
    if (!asked) return undefined
    const stop = new AbortController()
    inBackground(read(stop.signal))
    return () => stop.abort()
  }, [asked, read])

  const readAgain = useCallback(
    () => (asked ? read(new AbortController().signal) : Promise.resolve()),
    [asked, read],
  )
  return { slots: asked && slots?.day === day ? slots : undefined, readAgain }
}
