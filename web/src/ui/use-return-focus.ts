import { useEffect, useState } from 'react'

/**
 * When a dialog closes, returns the focus to the element that opened it. The dialog must be mounted only while it is
 * open.
 */
export function useReturnFocus() {
  const [opener] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      if (opener instanceof HTMLElement) opener.focus()
    },
    [opener],
  )
}
