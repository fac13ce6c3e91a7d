import { createContext, use, useEffect, useEffectEvent, useMemo, useState, type ReactNode } from 'react'
import { onUnanswered } from '@/api/client'
import type { LiveEvent } from '@/api/types'
import { serverNow } from '@/clock'
import type { ConnectionState } from './connection'
import { shareConnection } from './shared-connection'
import type { Identity } from './stream'

type Props = Identity & {
  onEvent: (event: LiveEvent, position: string, trace?: string) => void
  /** `receivedAt`: when the last data arrived, by the server's clock. The screen is at least as current. */
  onState: (state: ConnectionState, receivedAt: number) => void
  onRejected: (status: number) => void
  children: ReactNode
}

const Context = createContext<ConnectionState>({ connected: false, exhausted: false })

/** Keeps the live connection of the signed-in user while a dashboard is open. */
export function Live({ userId, role, onEvent, onState, onRejected, children }: Props) {
  const [state, setState] = useState<ConnectionState>({ connected: false, exhausted: false })
  const received = useEffectEvent(onEvent)
  const rejected = useEffectEvent(onRejected)
  const changed = useEffectEvent((next: ConnectionState, receivedAt: number) => {
    setState(next)
    onState(next, receivedAt)
  })

  useEffect(() => {
    let receivedAt = serverNow()
    const connection = shareConnection(
      { userId, role },
      {
        onEvent: (event, position, trace) => {
          receivedAt = serverNow()
          received(event, position, trace)
        },
        onState: (next) => changed(next, receivedAt),
        onRejected: (status) => rejected(status),
      },
    )
    const wake = () => connection.wake()
    const interrupt = () => connection.interrupt()
    window.addEventListener('focus', wake)
    window.addEventListener('online', wake)
    window.addEventListener('offline', interrupt)
    const unsubscribe = onUnanswered(interrupt)
    return () => {
      window.removeEventListener('focus', wake)
      window.removeEventListener('online', wake)
      window.removeEventListener('offline', interrupt)
      unsubscribe()
      connection.close()
    }
  }, [userId, role])

  const value = useMemo(() => state, [state])
  return <Context value={value}>{children}</Context>
}

/** Whether live updates currently arrive. */
export const useLive = () => use(Context)
