import { queryOptions } from '@tanstack/react-query'
import { api, payload } from '@/api/client'
import { serverNow } from '@/clock'
import { visitKeys } from '@/features/visits/data/queries'
import { untilChange } from './until-change'

/**
 * What needs a person's attention. It is also refetched while the page is hidden, because the page's title has the
 * count.
 */
export const attentionQuery = queryOptions({
  queryKey: visitKeys.attention,
  queryFn: ({ signal }) => payload(api.GET('/api/visits/attention', { signal })),
  refetchInterval: ({ state }) => untilChange(state, serverNow()),
  refetchIntervalInBackground: true,
})
