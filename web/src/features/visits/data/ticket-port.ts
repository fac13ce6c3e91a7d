import { useEffect } from 'react'
import type { Visit } from '@/api/types'

type Show = (visit: Visit) => void

/** Set while a screen that shows tickets is open. */
let shown: Show | undefined

/** Shows the ticket of a visit if the open screen shows tickets. Returns whether the ticket is shown. */
export function showTicket(visit: Visit): boolean {
  shown?.(visit)
  return shown !== undefined
}

/** Registers the function that shows the ticket of a request that is accepted in the page's head. */
export function useTicketPort(show: Show) {
  useEffect(() => {
    shown = show
    return () => {
      shown = undefined
    }
  }, [show])
}
