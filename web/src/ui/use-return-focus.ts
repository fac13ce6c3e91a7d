import { useEffect, useState } from 'react'

/** For a dialog that is there only while it is open: when it goes, the keyboard goes back to what opened it. */
export function useReturnFocus() {
  const [opener] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      if (opener instanceof HTMLElement) opener.focus()
    },
    [opener],
  )
}
