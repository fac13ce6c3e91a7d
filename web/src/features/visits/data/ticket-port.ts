import { useEffect } from 'react'
import type { Visit } from '@/api/types'

type Show = (visit: Visit) => void

/** Set while a screen that shows tickets is open. */
let shown: Show | undefined

/** Shows the ticket of a visit where the open screen has room for one, and reports whether it has. */
export function showTicket(visit: Visit): boolean {
  shown?.(visit)
  return shown !== undefined
}

/** For the screen that shows tickets: those of visits that are accepted or chosen in the head of the page, too. */
export function useTicketPort(show: Show) {
  useEffect(() => {
    shown = show
    return () => {
      shown = undefined
    }
  }, [show])
}
