import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { Tabs } from 'antd'
import { Suspense, useEffect, useRef } from 'react'
import { messages as adminMessages } from '@/admin-messages'
import type { Dashboard } from '@/api/types'
import { chunk } from '@/chunk'
import { dashboardQuery } from '@/features/audit/queries'
import { Totals } from '@/features/audit/totals'
import { RoleGate, useUser } from '@/features/auth/gate'
import { SignInWhenAsked } from '@/features/auth/sign-in-when-asked'
import { StaffLabel } from '@/features/directory/staff-label'
import { useOffice } from '@/features/office/use-office'
import { useClosing } from '@/features/visits/session/use-closing'
import { useLive } from '@/live/live'
import { messages } from '@/staff-messages'
import { ConnectionBadge } from '@/ui/badges'
import { Page, PageHead } from '@/ui/page'
import { useShortcutsHelp } from '@/ui/shortcuts-help'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { useIsPhone } from '@/ui/use-is-phone'
import { AnalyticsTab } from './analytics-tab'
import { useMoved, usePlace } from './place'
import './admin.css'

export function Admin() {
  const moving = useMoved()
  return <RoleGate allow={['admin']}>{moving ? null : <Desk />}</RoleGate>
}

const text = messages.admin

// The tables are loaded with the first tab that shows one.
const VisitorsTab = chunk(async () => (await import('./visitors-tab')).VisitorsTab)
const ServicesTab = chunk(async () => (await import('./tabs')).ServicesTab)
const StaffTab = chunk(async () => (await import('./staff-tab')).StaffTab)
const AuditTab = chunk(async () => (await import('./tabs')).AuditTab)
const OfficeTab = chunk(async () => (await import('./office-tab')).OfficeTab)

type Places = Pick<ReturnType<typeof usePlace>, 'view' | 'page'>

/** The tabs: those that the specification requires, then the office's. */
const tabsOf = (dashboard: UseQueryResult<Dashboard>, { view, page }: Places) => [
  {
    key: 'analytics',
    label: text.tabs.analytics,
    children: <AnalyticsTab dashboard={dashboard} view={view} />,
  },
  { key: 'visitors', label: text.tabs.visitors, children: <VisitorsTab /> },
  { key: 'services', label: text.tabs.services, children: <ServicesTab /> },
  { key: 'staff', label: <StaffLabel />, children: <StaffTab /> },
  { key: 'audit', label: text.tabs.audit, children: <AuditTab /> },
  { key: 'office', label: adminMessages.office.tab, children: <OfficeTab page={page} /> },
]

/** Keeps the open tab in sight: the row scrolls sideways, and turning a phone changes its width. */
function useTabInSight(active: string) {
  const tabs = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const row = tabs.current?.querySelector<HTMLElement>('.ant-tabs-nav-wrap')
    const list = row?.querySelector('.ant-tabs-nav-list')
    if (!row || !list) return
    const resized = new ResizeObserver(() => {
      const tab = row.querySelector<HTMLElement>('.ant-tabs-tab-active')
      if (tab) row.scrollLeft = tab.offsetLeft - (row.clientWidth - tab.offsetWidth) / 2
    })
    for (const element of [row, list]) resized.observe(element)
    return () => resized.disconnect()
  }, [active])
  return tabs
}

/** The admin's screen. On a phone, the button for the end of the day is below everything else. */
function Desk() {
  const user = useUser()
  const office = useOffice()
  const phone = useIsPhone()
  const { connected, connecting } = useLive()
  const dashboard = useQuery(dashboardQuery)
  const place = usePlace()
  useShortcutsHelp(text.shortcuts)

  const row = useTabInSight(place.tab)
  const closing = useClosing({ by: user, office })

  return (
    <Page>
      <PageHead
        title={text.title}
        badges={
          <>
            <ConnectionBadge connected={connected} connecting={connecting} />
            {phone ? null : closing.button}
          </>
        }
      />
      <Totals dashboard={dashboard.data} last="completed" />
      <div ref={row}>
        <Tabs
          className="admin-tabs"
          activeKey={place.tab}
          items={tabsOf(dashboard, place).map((tab) => ({
            ...tab,
            children: (
              <Suspense fallback={<SkeletonRows label={messages.visits.loading} />}>{tab.children}</Suspense>
            ),
          }))}
          onChange={place.open}
        />
      </div>
      {phone ? <div className="row-actions">{closing.button}</div> : null}
      {closing.sheet}
      <SignInWhenAsked />
    </Page>
  )
}
