import { useQuery } from '@tanstack/react-query'
import { Suspense, type ReactNode } from 'react'
import { chunk } from '@/chunk'
import { setupQuery } from '@/features/settings/setup/query'
import { messages } from '@/staff-messages'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { settled } from './settled'
import { withSettingsTexts } from './settings-texts'

const FirstDayList = chunk(
  async () => (await withSettingsTexts(() => import('./first-day-list'))).FirstDayList,
)

/**
 * The checklist of the first day above its children, until it is hidden or all is done. The children are shown once it
 * is known whether there is a list, so that it does not move them.
 */
export function FirstDay({ children }: { children: ReactNode }) {
  const setup = useQuery(setupQuery)
  const waiting = <SkeletonRows label={messages.audit.figures.loading} />
  if (!settled(setup)) return waiting
  if (!setup.data || setup.data.dismissed) return children
  return (
    <Suspense fallback={waiting}>
      <FirstDayList setup={setup.data} waiting={waiting}>
        {children}
      </FirstDayList>
    </Suspense>
  )
}
