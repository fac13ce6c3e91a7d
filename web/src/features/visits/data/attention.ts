import { queryOptions } from '@tanstack/react-query'
import { api, payload } from '@/api/client'
import { serverNow } from '@/clock'
import { visitKeys } from './queries'

/** The estimate of the server's clock may be half a second ahead. */
const slackMs = 500
const leastMs = 1_000

/** The milliseconds until the list changes without an event; false when it does not. */
export const untilChange = (nextAt: string | null | undefined, now: number): number | false =>
  nextAt ? Math.max(leastMs, Date.parse(nextAt) + slackMs - now) : false

/** What needs a person's attention. A hidden page asks, too: its title has the count. */
export const attentionQuery = queryOptions({
  queryKey: visitKeys.attention,
  queryFn: ({ signal }) => payload(api.GET('/api/visits/attention', { signal })),
  refetchInterval: ({ state }) => untilChange(state.data?.nextAt, serverNow()),
  refetchIntervalInBackground: true,
})
