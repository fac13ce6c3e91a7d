import { createContext, use, useEffect, useMemo, useState, type ReactNode } from 'react'
import { serverNow } from '@/clock'
import type { Alert } from '@/live/alerts'
import { keys, readList, tabKeys, write } from '@/storage'

export type StoredAlert = Omit<Alert, 'seconds'> & { id: string; at: string }

type Alerts = {
  /** Newest first. */
  list: readonly StoredAlert[]
  seen: ReadonlySet<string>
  add: (alert: Alert, id: string) => void
  see: (ids: readonly string[]) => void
}

const Context = createContext<Alerts | null>(null)
const mostAlerts = 200
const mostSeen = 500

/** Keeps the alerts in the session storage, and the ids of read items in the local storage. */
export function AlertsProvider({ children }: { children: ReactNode }) {
  const [list, setList] = useState(() => readList(tabKeys.alerts) as readonly StoredAlert[])
  const [seen, setSeen] = useState<ReadonlySet<string>>(() => new Set(readList(keys.seen) as string[]))

  useEffect(() => write(tabKeys.alerts, JSON.stringify(list)), [list])
  useEffect(() => write(keys.seen, JSON.stringify([...seen].slice(-mostSeen))), [seen])

  const value = useMemo<Alerts>(
    () => ({
      list,
      seen,
      add: ({ text, detail, kind, icon }, id) => {
        const alert = { id, text, detail, kind, icon, at: new Date(serverNow()).toISOString() }
        setList((known) =>
          known.some((one) => one.id === id) ? known : [alert, ...known].slice(0, mostAlerts),
        )
      },
      see: (ids) =>
        setSeen((known) => (ids.every((id) => known.has(id)) ? known : new Set([...known, ...ids]))),
    }),
    [list, seen],
  )
  return <Context value={value}>{children}</Context>
}

export function useAlerts(): Alerts {
  const value = use(Context)
  if (!value) throw new Error('useAlerts needs an AlertsProvider above it')
  return value
}
