import { Suspense, useState, type ReactNode } from 'react'
import { messages } from '@/staff-messages'
import { SkeletonRows } from '@/ui/skeleton-rows'

type Props = {
  views: readonly { key: string; content: ReactNode }[]
  /** The key of the view that is shown. */
  shown: string
}

/**
 * Shows one of several views. A view is mounted when it is first shown and then stays mounted: it keeps what was typed,
 * and a request that it began goes on.
 */
export function Views({ views, shown }: Props) {
  const [opened, setOpened] = useState<readonly string[]>([shown])
  if (!opened.includes(shown)) setOpened([...opened, shown])
  return views
    .filter(({ key }) => opened.includes(key))
    .map(({ key, content }) => (
      <div key={key} hidden={key !== shown}>
        <Suspense fallback={<SkeletonRows label={messages.visits.loading} />}>{content}</Suspense>
      </div>
    ))
}
