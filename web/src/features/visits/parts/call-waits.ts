import { useEffect, useReducer } from 'react'
import type { Visit } from '@/api/types'
import { serverNow } from '@/clock'

/** Added to the server's times, because the estimate of the server's clock may be half a second ahead. */
const slackMs = 500

type Called = Pick<Visit, 'queue'>

/** The seconds until a called visitor can be called again and can be marked as not here; 0 from then on. */
export function callWaits(visit: Called | undefined, now: number) {
  const call = visit?.queue.call
  const until = (at: string) => Math.max(0, Math.ceil((Date.parse(at) + slackMs - now) / 1_000))
  return call ? { recall: until(call.recallAt), miss: until(call.missAt) } : { recall: 0, miss: 0 }
}

/** The waits of `callWaits`, updated each second until both are 0. */
export function useCallWaits(visit: Called | undefined) {
  const [, tick] = useReducer((count: number) => count + 1, 0)
  const waits = callWaits(visit, serverNow())
  const isWaiting = waits.recall > 0 || waits.miss > 0
  useEffect(() => {
    if (!isWaiting) return
    const timer = setInterval(tick, 1_000)
    return () => clearInterval(timer)
  }, [isWaiting])
  return waits
}
