import { Outlet } from 'react-router'
import { DueBanner } from '@/features/due-dates/due-banner'
import { useLive } from '@/live/live'
import { messages } from '@/staff-messages'
import { Icon } from '@/ui/icon'
import { ShortcutsHelp } from '@/ui/shortcuts-help'
import { TopBar } from './top-bar'

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
      <DueBanner />
      <Outlet />
    </ShortcutsHelp>
  )
}
