import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { messages } from '@/messages'
import { LoadAgain } from '@/ui/load-again'
import { Panel } from '@/ui/panel'
import { SkeletonRows } from '@/ui/skeleton-rows'

type Props<T> = {
  query: UseQueryResult<T>
  failure: string
  /** Names the panel that stands here until the data brings its own. */
  title?: string
  children: (data: T) => ReactNode
}

/** The data of a query, or where it is on its way. */
export function Loaded<T>({ query, failure, title, children }: Props<T>) {
  if (query.data !== undefined) return children(query.data)
  const missing = query.isError ? (
    <LoadAgain text={failure} onRetry={() => void query.refetch()} />
  ) : (
    <SkeletonRows label={messages.visits.loading} />
  )
  return title ? <Panel title={title}>{missing}</Panel> : missing
}
