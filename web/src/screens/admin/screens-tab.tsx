import { useQuery } from '@tanstack/react-query'
import { messages } from '@/admin-messages'
import { screensQuery } from '@/features/screens/queries'
import { ScreensTable } from '@/features/screens/screens-table'
import { Loaded } from './loaded'

/** The screens of the waiting room, loaded with their tab. */
export function ScreensTab() {
  const screens = useQuery(screensQuery)
  return (
    <Loaded query={screens} failure={messages.screens.failed} title={messages.screens.title}>
      {(all) => <ScreensTable screens={all} />}
    </Loaded>
  )
}
