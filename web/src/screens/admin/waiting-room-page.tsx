import { useQuery } from '@tanstack/react-query'
import { messages } from '@/admin-messages'
import { useOffice } from '@/features/office/use-office'
import { screensQuery } from '@/features/screens/queries'
import { ScreensTable } from '@/features/screens/screens-table'
import { voicesQuery } from '@/features/voice/queries'
import { VoicesPanel } from '@/features/voice/voices-panel'
import { Loaded } from './loaded'

/** The screens of the waiting room and their voices. */
export function WaitingRoomPage() {
  const screens = useQuery(screensQuery)
  const voices = useQuery(voicesQuery)
  const { languages = ['en'], voice, offline } = useOffice()
  return (
    <>
      <Loaded query={screens} failure={messages.screens.failed} title={messages.screens.title}>
        {(all) => <ScreensTable screens={all} desks={offline?.on ?? false} />}
      </Loaded>
      <Loaded query={voices} failure={messages.voices.loadFailed} title={messages.voices.title}>
        {(packs) => (
          <VoicesPanel packs={packs} offered={[...new Set([...(voice?.order ?? []), ...languages])]} />
        )}
      </Loaded>
    </>
  )
}
