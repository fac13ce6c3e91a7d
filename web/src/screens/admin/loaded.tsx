import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { inBackground } from '@/in-background'
import { LoadAgain } from '@/ui/load-again'
import { Panel } from '@/ui/panel'

type Props<T> = {
  query: UseQueryResult<T>
  failure: string
  /** The heading of the error's panel; without it, the error is shown without a panel. */
  title?: string
  /** Renders the data, or their placeholder while they load. */
  children: (data: T | undefined) => ReactNode
}

/** Renders the data of a query, or an error with a button that loads again. */
export function Loaded<T>({ query, failure, title, children }: Props<T>) {
  if (query.data !== undefined || !query.isError) return children(query.data)
  const missing = <LoadAgain text={failure} onRetry={() => inBackground(query.refetch())} />
  return title ? <Panel title={title}>{missing}</Panel> : missing
}
