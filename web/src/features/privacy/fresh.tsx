import { createContext, use, useState, type ReactNode } from 'react'
import { isNotFresh } from './mutations'

type Ask = (props: { onDone: () => void; onClose: () => void }) => ReactNode

/** The dialog that asks the signed-in person for the password. */
export const SignInAgainContext = createContext<Ask>(() => null)

/** Repeats what needs a fresh session after the person has signed in again. */
export function useFreshSession() {
  const ask = use(SignInAgainContext)
  const [waiting, setWaiting] = useState<() => void>()
  const onDone = () => {
    setWaiting(undefined)
    waiting?.()
  }
  return {
    /** Handles the failure of a request: `again` repeats it after the sign-in. */
    onError: (error: Error, again: () => void) => {
      if (isNotFresh(error)) setWaiting(() => again)
    },
    dialog: waiting ? ask({ onDone, onClose: () => setWaiting(undefined) }) : null,
  }
}
