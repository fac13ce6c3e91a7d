import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query'
import { inBackground } from '@/in-background'

/** Events within this time after a request cause only one more request. */
export const burstMs = 40

/**
 * Refetches invalidated queries. The first event causes a request at once. A burst of events after it causes one more
 * request. A query that is invalidated during its request is requested once more. Queries that are not on the screen
 * are only marked as stale.
 */
export function createRefetcher(client: QueryClient) {
  const waiting = new Map<string, QueryKey>()
  const inFlight = new Set<string>()
  let waitingCallbacks: (() => void)[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let flushed = 0

  function flush() {
    timer = undefined
    flushed = Date.now()
    const refetches: Promise<void>[] = []
    for (const [hash, key] of waiting) {
      if (inFlight.has(hash)) continue
      waiting.delete(hash)
      inFlight.add(hash)
      const refetch = client.invalidateQueries({ queryKey: key }).finally(() => {
        inFlight.delete(hash)
        if (waiting.has(hash)) plan()
      })
      refetches.push(refetch)
    }
    if (waiting.size > 0) return
    const settled = waitingCallbacks
    waitingCallbacks = []
    inBackground(Promise.all(refetches).then(() => settled.forEach((notify) => notify())))
  }

  // The first event after a pause does not wait.
  const plan = () => (timer ??= setTimeout(flush, Math.max(0, flushed + burstMs - Date.now())))

  return {
    /** Adds invalidated queries. Calls `onRefetched` when everything added so far has been refetched. */
    add(keys: readonly QueryKey[], onRefetched?: () => void) {
      if (keys.length === 0) return
      if (onRefetched) waitingCallbacks.push(onRefetched)
      for (const key of keys) waiting.set(hashKey(key), key)
      plan()
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
