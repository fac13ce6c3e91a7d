import { lazy, Suspense } from 'react'
import { Outlet } from 'react-router'
import { useLive } from '@/live/live'
import { messages } from '@/staff-messages'
import { Icon } from '@/ui/icon'
import { PageNotice } from '@/ui/page'
import { ShortcutsHelp } from '@/ui/shortcuts-help'
import { TopBar } from './top-bar'

// Loaded after the dashboard, because it is only a hint.
const DueBanner = lazy(async () => ({ default: (await import('@/features/due-dates/due-banner')).DueBanner }))

const dueBanner = (
  <Suspense>
    <DueBanner />
  </Suspense>
)

/** The frame of every dashboard. It requires a session only; each dashboard declares its own roles. */
export function DashboardLayout() {
  const { exhausted } = useLive()
  return (
    <ShortcutsHelp>
      <a className="skip-link" href="#content">
        {messages.dashboard.skip}
      </a>
      <TopBar />
      {exhausted ? (
        <div className="live-lost" role="status">
          <Icon name="wifiOff" />
          <b>{messages.live.unavailable}</b>
        </div>
      ) : null}
      <PageNotice value={dueBanner}>
        <Outlet />
      </PageNotice>
    </ShortcutsHelp>
  )
}
