import { Suspense, useMemo, useState } from 'react'
import { Outlet } from 'react-router'
import { chunk } from '@/chunk'
import { useUser } from '@/features/auth/gate'
import { useLive } from '@/live/live'
import { messages } from '@/staff-messages'
import { Icon } from '@/ui/icon'
import { PageNotice } from '@/ui/page'
import { ShortcutsHelp } from '@/ui/shortcuts-help'
import { TopBar } from './top-bar'

// Both components are loaded after the dashboard.
const DueBanner = chunk(async () => (await import('@/features/due-dates/due-banner')).DueBanner)
const HeadNotice = chunk(async () => (await import('./head-notice')).HeadNotice)

/** The frame of every dashboard. It requires a session only; each dashboard declares its own roles. */
export function DashboardLayout() {
  const { exhausted } = useLive()
  const { role } = useUser()
  const [bar, setBar] = useState<HTMLElement | null>(null)
  const notice = useMemo(
    () => <Suspense>{role === 'consultant' ? <DueBanner /> : <HeadNotice bar={bar} />}</Suspense>,
    [role, bar],
  )
  return (
    <ShortcutsHelp>
      <a className="skip-link" href="#content">
        {messages.dashboard.skip}
      </a>
      <TopBar noticeRef={setBar} />
      {exhausted ? (
        <div className="live-lost" role="status">
          <Icon name="wifiOff" />
          <b>{messages.live.unavailable}</b>
        </div>
      ) : null}
      <PageNotice value={notice}>
        <Outlet />
      </PageNotice>
    </ShortcutsHelp>
  )
}
