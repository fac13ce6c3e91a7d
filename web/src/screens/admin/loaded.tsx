import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { messages } from '@/messages'
import { LoadAgain } from '@/ui/load-again'
import { SkeletonRows } from '@/ui/skeleton-rows'

type Props<T> = { query: UseQueryResult<T>; failure: string; children: (data: T) => ReactNode }

/** The data of a query, or where it is on its way. */
export function Loaded<T>({ query, failure, children }: Props<T>) {
  if (query.data !== undefined) return children(query.data)
  if (query.isError) return <LoadAgain text={failure} onRetry={() => void query.refetch()} />
  return <SkeletonRows label={messages.visits.loading} />
}
