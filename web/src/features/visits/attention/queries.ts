import { queryOptions } from '@tanstack/react-query'
import { api, payload } from '@/api/client'
import { serverNow } from '@/clock'
import { visitKeys } from '@/features/visits/data/queries'
import { untilChange } from './until-change'

/** What needs attention. It is refetched in a hidden page as well, because the page's title has the count. */
export const attentionQuery = queryOptions({
  queryKey: visitKeys.attention,
  queryFn: ({ signal }) => payload(api.GET('/api/visits/attention', { signal })),
  refetchInterval: ({ state }) => untilChange(state, serverNow()),
  refetchIntervalInBackground: true,
})
