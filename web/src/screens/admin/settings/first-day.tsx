import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { chunk } from '@/chunk'
import { setupQuery } from '@/features/settings/setup/query'
import { withSettingsTexts } from './settings-texts'

const FirstDayList = chunk(
  async () => (await withSettingsTexts(() => import('./first-day-list'))).FirstDayList,
)

/** The checklist of the first day, until it is hidden or all is done. It is loaded while it is shown. */
export function FirstDay() {
  const { data: setup } = useQuery(setupQuery)
  if (!setup || setup.dismissed) return null
  return (
    <Suspense fallback={null}>
      <FirstDayList setup={setup} />
    </Suspense>
  )
}
