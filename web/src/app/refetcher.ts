import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query'

/** Events within this time cause one request. */
export const burstMs = 40

/**
 * Refetches invalidated queries, at most one request per query and event: a burst causes one request, and a query
 * invalidated during its request is requested once more. Queries that are not on the screen are only marked.
 */
export function createRefetcher(client: QueryClient) {
  const waiting = new Map<string, QueryKey>()
  const underWay = new Set<string>()
  let watchers: (() => void)[] = []
  let timer: ReturnType<typeof setTimeout> | undefined

  function flush() {
    timer = undefined
    const asked: Promise<void>[] = []
    for (const [hash, key] of waiting) {
      if (underWay.has(hash)) continue
      waiting.delete(hash)
      underWay.add(hash)
      const answered = client.invalidateQueries({ queryKey: key }).finally(() => {
        underWay.delete(hash)
        if (waiting.has(hash)) plan()
      })
      asked.push(answered)
    }
    if (waiting.size > 0) return
    const settled = watchers
    watchers = []
    void Promise.all(asked).then(() => settled.forEach((notify) => notify()))
  }

  const plan = () => (timer ??= setTimeout(flush, burstMs))

  return {
    /** Calls back when everything invalidated so far has been refetched. */
    add(keys: readonly QueryKey[], answered?: () => void) {
      if (keys.length === 0) return
      if (answered) watchers.push(answered)
      for (const key of keys) waiting.set(hashKey(key), key)
      plan()
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
