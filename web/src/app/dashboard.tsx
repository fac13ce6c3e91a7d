import { chunk } from '@/chunk'
import { Gate } from '@/features/auth/gate'
import { AlertsProvider } from '@/features/notifications/alerts'
import { useOffice } from '@/features/office/use-office'
import { Shelf } from '@/features/shelf/shelf'
import { DashboardLayout } from '@/screens/dashboard/layout'
import { OfficeTimeProvider } from '@/ui/office-time'
import { LiveUpdates } from './live-updates'
import { PaperLabelsProvider } from './paper-labels'
import { ServiceTextsProvider } from './service-texts'
import '@/theme/desk.css'
import '@/ui/text.css'

// Few people ever see it.
const Waiting = chunk(async () => (await import('@/screens/dashboard/waiting')).Waiting)

/**
 * The protected area. The gate checks the session; inside it, the office's clock, the alerts and the live stream
 * surround every dashboard.
 */
export function Dashboard() {
  const { timeZone } = useOffice()
  return (
    <Gate waiting={<Waiting />}>
      <OfficeTimeProvider timeZone={timeZone}>
        <AlertsProvider>
          <ServiceTextsProvider>
            <LiveUpdates>
              <PaperLabelsProvider>
                <DashboardLayout />
              </PaperLabelsProvider>
              <Shelf />
            </LiveUpdates>
          </ServiceTextsProvider>
        </AlertsProvider>
      </OfficeTimeProvider>
    </Gate>
  )
}
