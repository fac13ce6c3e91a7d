import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { responsesPredate, resetPositions, recordEventPosition } from '@/api/feed-position'
import type { LiveEvent } from '@/api/types'
import { useUser } from '@/features/auth/gate'
import { sessionQuery } from '@/features/auth/session'
import { useAlerts } from '@/features/notifications/alerts'
import { readOfficeAgain, renewOffice } from '@/features/office/use-office'
import { forgetOffers, withdrawOlder } from '@/features/visits/data/own-changes'
import { inBackground } from '@/in-background'
import { alertOf } from '@/live/alerts'
import type { ConnectionState } from '@/live/connection'
import { Live } from '@/live/live'
import { messages } from '@/messages'
import { report } from '@/telemetry/report'
import { DataAgeContext } from '@/ui/data-age'
import { useServiceNames } from '@/ui/office-words'
import { useToast } from '@/ui/toasts'
import { staleAfter } from './live-routes'
import { createRefetcher } from './refetcher'

const unavailableSeconds = 10
/** A toast is shown after the lists with the change are painted, but at most this long after the event. */
const latestAlertMs = 400

/** Connects the stream to the screens: events invalidate queries and show toasts. */
export function LiveUpdates({ children }: { children: ReactNode }) {
  const user = useUser()
  const client = useQueryClient()
  const toast = useToast()
  const alerts = useAlerts()
  const [refetcher] = useState(() => createRefetcher(client))
  const toastShown = useRef(false)
  const opened = useRef(false)
  const nameOf = useServiceNames()
  const [lostSince, setLostSince] = useState<string>()

  useEffect(
    () => () => {
      refetcher.stop()
      forgetSession()
    },
    [refetcher],
  )

  const renewAll = () => {
    inBackground(readOfficeAgain())
    inBackground(client.invalidateQueries())
  }

  const catchUp = (event: Extract<LiveEvent, { type: 'connection' }>, position: string) => {
    const again = opened.current
    opened.current = true
    if (again && !event.data.resumed) renewAll()
    if (again) return
    inBackground(
      whenQuiet(client).then(() => {
        if (responsesPredate(position)) inBackground(client.invalidateQueries())
      }),
    )
  }

  const onEvent = (event: LiveEvent, position: string, trace?: string) => {
    recordEventPosition(position)
    if (event.type === 'connection') catchUp(event, position)
    if ('visitId' in event.data) withdrawOlder(event.data.visitId, event.data.version)
    const alert = alertOf(event, user.role, (service) => nameOf({ id: service, name: service }))
    const announce = alert
      ? onceSoon(() => {
          alerts.add(alert, position)
          toast.show(alert.kind, alert.text, { seconds: alert.seconds, key: position })
        })
      : undefined
    const stale = staleAfter(event)
    if ('entity' in event.data && event.data.entity === 'office') inBackground(renewOffice())
    if (stale === 'everything') renewAll()
    else refetcher.add(stale, whenShown(trace, announce))
  }

  const onState = ({ connected, exhausted }: ConnectionState, receivedAt: number) => {
    setLostSince(connected ? undefined : new Date(receivedAt).toISOString())
    // While disconnected, all queries are stale. A query on screen is refetched when the stream is back and
    // has missed events. Any other query is refetched when it is shown.
    if (!connected) inBackground(client.invalidateQueries({ refetchType: 'none' }))
    if (exhausted && !toastShown.current) {
      toast.error(messages.live.unavailable, { seconds: unavailableSeconds, key: messages.live.unavailable })
    }
    toastShown.current = exhausted
  }

  // The role may have changed, or the session may have ended. The gate rereads the session and decides.
  const onRejected = () => inBackground(client.invalidateQueries({ queryKey: sessionQuery.queryKey }))

  return (
    <Live userId={user.id} role={user.role} onEvent={onEvent} onState={onState} onRejected={onRejected}>
      <DataAgeContext value={lostSince}>{children}</DataAgeContext>
    </Live>
  )
}

function forgetSession() {
  resetPositions()
  forgetOffers()
}

/**
 * Returns a function that reports the time from the event until the refetched data is painted, and then calls `next`.
 * In a hidden page it reports nothing, because nothing is painted.
 */
function whenShown(trace?: string, next?: () => void) {
  const came = performance.now()
  return () => {
    if (document.visibilityState !== 'visible') return next?.()
    requestAnimationFrame(() =>
      setTimeout(() => {
        report.shown(performance.now() - came, trace)
        next?.()
      }),
    )
  }
}

/** Runs an action once: when the returned function is called, or after `latestAlertMs`. */
function onceSoon(act: () => void): () => void {
  let waits = true
  const once = () => {
    if (!waits) return
    waits = false
    clearTimeout(timer)
    act()
  }
  const timer = setTimeout(once, latestAlertMs)
  return once
}

/** Resolves when no query is in flight. */
function whenQuiet(client: QueryClient): Promise<void> {
  return new Promise((resolve) => {
    const cache = client.getQueryCache()
    const check = () => {
      if (client.isFetching() > 0) return
      stop()
      resolve()
    }
    const stop = cache.subscribe(check)
    check()
  })
}
