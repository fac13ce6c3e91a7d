import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { LoadAgain } from '@/ui/load-again'
import { Panel } from '@/ui/panel'

type Props<T> = {
  query: UseQueryResult<T>
  failure: string
  /** Names the panel that stands here where there is no data to bring its own. */
  title?: string
  /** Shows the data, or the place that it will take while it is on its way. */
  children: (data: T | undefined) => ReactNode
}

/** The data of a query, or a way to ask again. */
export function Loaded<T>({ query, failure, title, children }: Props<T>) {
  if (query.data !== undefined || !query.isError) return children(query.data)
  const missing = <LoadAgain text={failure} onRetry={() => void query.refetch()} />
  return title ? <Panel title={title}>{missing}</Panel> : missing
}
