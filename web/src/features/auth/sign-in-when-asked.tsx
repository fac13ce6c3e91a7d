import { Suspense, useEffect, useRef, useState } from 'react'
import { chunk } from '@/chunk'
import { onNotFresh } from '@/api/client'

const SignInAgain = chunk(async () => (await import('./sign-in-again')).SignInAgain)

/** Asks for the password when a call needs a session that has just begun. Afterwards the call is repeated. */
export function SignInWhenAsked() {
  const waiting = useRef<((signedIn: boolean) => void)[]>([])
  const [asking, setAsking] = useState(false)
  const end = (signedIn: boolean) => {
    waiting.current.splice(0).forEach((goOn) => goOn(signedIn))
    setAsking(false)
  }
  useEffect(() => {
    const calls = waiting.current
    const forget = onNotFresh(
      () =>
        new Promise((resolve) => {
          calls.push(resolve)
          setAsking(true)
        }),
    )
    return () => {
      forget()
      calls.splice(0).forEach((goOn) => goOn(false))
    }
  }, [])
  if (!asking) return null
  return (
    <Suspense fallback={null}>
      <SignInAgain onDone={() => end(true)} onClose={() => end(false)} />
    </Suspense>
  )
}
