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
  let timer: ReturnType<typeof setTimeout> | undefined

  function flush() {
    timer = undefined
    for (const [hash, key] of waiting) {
      if (underWay.has(hash)) continue
      waiting.delete(hash)
      underWay.add(hash)
      void client.invalidateQueries({ queryKey: key }).finally(() => {
        underWay.delete(hash)
        if (waiting.has(hash)) plan()
      })
    }
  }

  const plan = () => (timer ??= setTimeout(flush, burstMs))

  return {
    add(keys: readonly QueryKey[]) {
      if (keys.length === 0) return
      for (const key of keys) waiting.set(hashKey(key), key)
      plan()
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
