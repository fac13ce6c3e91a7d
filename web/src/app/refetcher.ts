import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query'

/** Events that come so close together cause one request. */
export const burstMs = 40

/**
 * Asks for what became old, at most one request per query and event: a burst is one request, and what becomes old while
 * a request is under way is asked once more after it. Only queries on the screen are asked; the others are marked.
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
    const told = watchers
    watchers = []
    void Promise.all(asked).then(() => told.forEach((tell) => tell()))
  }

  const plan = () => (timer ??= setTimeout(flush, burstMs))

  return {
    /** Calls back when everything that is old by then has been answered. */
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
