import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { Tabs } from 'antd'
import { Suspense, useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { chunk } from '@/chunk'
import { messages as adminMessages } from '@/admin-messages'
import type { Dashboard } from '@/api/types'
import { Analytics } from '@/features/audit/analytics'
import { dashboardQuery } from '@/features/audit/queries'
import { Totals } from '@/features/audit/totals'
import { RoleGate, useUser } from '@/features/auth/gate'
import { SignInWhenAsked } from '@/features/auth/sign-in-when-asked'
import { StaffLabel } from '@/features/directory/staff-label'
import { useOffice } from '@/features/office/use-office'
import { useClosing } from '@/features/visits/session/use-closing'
import { inBackground } from '@/in-background'
import { useLive } from '@/live/live'
import { messages } from '@/staff-messages'
import { ConnectionBadge } from '@/ui/badges'
import { LoadAgain } from '@/ui/load-again'
import { Page, PageHead } from '@/ui/page'
import { Panel } from '@/ui/panel'
import { useShortcutsHelp } from '@/ui/shortcuts-help'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { useIsPhone } from '@/ui/use-is-phone'
import './admin.css'

export function Admin() {
  return (
    <RoleGate allow={['admin']}>
      <Desk />
    </RoleGate>
  )
}

const text = messages.admin

function Figures({ dashboard }: { dashboard: UseQueryResult<Dashboard> }) {
  if (dashboard.data || !dashboard.isError) return <Analytics dashboard={dashboard.data} />
  return (
    <Panel title={text.tabs.analytics}>
      <LoadAgain text={messages.audit.statsFailed} onRetry={() => inBackground(dashboard.refetch())} />
    </Panel>
  )
}

// The panel is loaded separately, because it is below the figures and imports the calendar.
const ExportPanel = chunk(async () => (await import('@/features/audit/export-panel')).ExportPanel)
// The tables are loaded with the first tab that shows one.
const VisitorsTab = chunk(async () => (await import('./visitors-tab')).VisitorsTab)
const ServicesTab = chunk(async () => (await import('./tabs')).ServicesTab)
const StaffTab = chunk(async () => (await import('./staff-tab')).StaffTab)
const AuditTab = chunk(async () => (await import('./tabs')).AuditTab)
const AccuracyTab = chunk(async () => (await import('./accuracy-tab')).AccuracyTab)
const ReportsTab = chunk(async () => (await import('./reports-tab')).ReportsTab)
const PagesTab = chunk(async () => (await import('./pages-tab')).PagesTab)
const PrivacyTab = chunk(async () => (await import('./privacy-tab')).PrivacyTab)
const DueDatesTab = chunk(async () => (await import('./due-dates-tab')).DueDatesTab)
const ScreensTab = chunk(async () => (await import('./screens-tab')).ScreensTab)

/** The tabs, first those that the specification requires. */
const tabsOf = (dashboard: UseQueryResult<Dashboard>) => [
  {
    key: 'analytics',
    label: text.tabs.analytics,
    children: (
      <>
        <Figures dashboard={dashboard} />
        <Suspense fallback={null}>
          <ExportPanel />
        </Suspense>
      </>
    ),
  },
  { key: 'visitors', label: text.tabs.visitors, children: <VisitorsTab /> },
  { key: 'services', label: text.tabs.services, children: <ServicesTab /> },
  { key: 'staff', label: <StaffLabel />, children: <StaffTab /> },
  { key: 'audit', label: text.tabs.audit, children: <AuditTab /> },
  { key: 'accuracy', label: messages.forecast.accuracyTab, children: <AccuracyTab /> },
  { key: 'due-dates', label: messages.forecast.due.tab, children: <DueDatesTab /> },
  { key: 'screens', label: text.tabs.screens, children: <ScreensTab /> },
  { key: 'pages', label: messages.visitorLink.tab, children: <PagesTab /> },
  { key: 'privacy', label: text.tabs.privacy, children: <PrivacyTab /> },
  { key: 'reports', label: adminMessages.reports.tab, children: <ReportsTab /> },
]

/** Keeps the open tab in sight: on a phone the tabs scroll sideways, and turning the phone changes their width. */
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
  const [search, setSearch] = useSearchParams()
  useShortcutsHelp(text.shortcuts)

  const tabs = tabsOf(dashboard)
  const chosen = search.get('tab')
  const active = tabs.find(({ key }) => key === chosen)?.key ?? 'analytics'
  const row = useTabInSight(active)
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
          activeKey={active}
          items={tabs.map((tab) => ({
            ...tab,
            children: (
              <Suspense fallback={<SkeletonRows label={messages.visits.loading} />}>{tab.children}</Suspense>
            ),
          }))}
          onChange={(tab) => setSearch({ tab }, { replace: true })}
        />
      </div>
      {phone ? <div className="row-actions">{closing.button}</div> : null}
      {closing.sheet}
      <SignInWhenAsked />
    </Page>
  )
}
