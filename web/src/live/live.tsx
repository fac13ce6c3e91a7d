import { createContext, use, useEffect, useEffectEvent, useMemo, useState, type ReactNode } from 'react'
import { onUnanswered } from '@/api/client'
import type { LiveEvent } from '@/api/types'
import { serverNow } from '@/clock'
import type { ConnectionState } from './connection'
import { shareConnection } from './shared-connection'
import type { Identity } from './stream'

type Props = Identity & {
  onEvent: (event: LiveEvent, position: string, trace?: string) => void
  /** `receivedAt`: when the last event arrived, else when `Live` was mounted, by the server's clock. */
  onState: (state: ConnectionState, receivedAt: number) => void
  onRejected: (status: number) => void
  children: ReactNode
}

/** `connecting`: the stream has neither opened nor failed yet, and the first attempt is younger than 5 s. */
type LiveState = ConnectionState & { connecting: boolean }

const initial: LiveState = { connected: false, exhausted: false, connecting: true }

const connectingMs = 5_000

const Context = createContext(initial)

/** Keeps the live connection of the signed-in user while a dashboard is open. */
export function Live({ userId, role, onEvent, onState, onRejected, children }: Props) {
  const [state, setState] = useState(initial)
  const received = useEffectEvent(onEvent)
  const rejected = useEffectEvent(onRejected)
  const changed = useEffectEvent((next: ConnectionState, receivedAt: number) => {
    setState({ ...next, connecting: false })
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
    const timer = setTimeout(
      () => setState((now) => (now.connecting ? { ...now, connecting: false } : now)),
      connectingMs,
    )
    return () => {
      clearTimeout(timer)
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

export const useLive = () => use(Context)
