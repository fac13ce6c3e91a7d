import { useEffect, useState } from 'react'

/** For a dialog that is mounted while it is open: when it closes, focus returns to the element that opened it. */
export function useReturnFocus() {
  const [opener] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      if (opener instanceof HTMLElement) opener.focus()
    },
    [opener],
  )
}
