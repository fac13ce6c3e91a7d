import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { Tabs } from 'antd'
import { lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { messages as adminMessages } from '@/admin-messages'
import type { Dashboard } from '@/api/types'
import { Analytics } from '@/features/audit/analytics'
import { dashboardQuery } from '@/features/audit/queries'
import { Totals } from '@/features/audit/totals'
import { RoleGate, useUser } from '@/features/auth/gate'
import { SignInWhenAsked } from '@/features/auth/sign-in-when-asked'
import { ClosingButton } from '@/features/visits/session/closing-button'
import { inBackground } from '@/in-background'
import { useLive } from '@/live/live'
import { messages } from '@/staff-messages'
import { ConnectionBadge } from '@/ui/badges'
import { LoadAgain } from '@/ui/load-again'
import { Page, PageHead } from '@/ui/page'
import { Panel } from '@/ui/panel'
import { useShortcutsHelp } from '@/ui/shortcuts-help'
import { SkeletonRows } from '@/ui/skeleton-rows'
import './admin.css'

export function Admin() {
  return (
    <RoleGate allow={['admin']}>
      <Desk />
    </RoleGate>
  )
}

const text = messages.admin

/** The day's statistics, once they have loaded. */
function Figures({ dashboard }: { dashboard: UseQueryResult<Dashboard> }) {
  if (dashboard.data || !dashboard.isError) return <Analytics dashboard={dashboard.data} />
  return (
    <Panel title={text.tabs.analytics}>
      <LoadAgain text={messages.audit.statsFailed} onRetry={() => inBackground(dashboard.refetch())} />
    </Panel>
  )
}

// It is below the figures, and imports the calendar.
const ExportPanel = lazy(async () => ({
  default: (await import('@/features/audit/export-panel')).ExportPanel,
}))
// The tables are loaded with the first tab that shows one.
const VisitorsTab = lazy(async () => ({ default: (await import('./visitors-tab')).VisitorsTab }))
const ServicesTab = lazy(async () => ({ default: (await import('./tabs')).ServicesTab }))
const StaffTab = lazy(async () => ({ default: (await import('./staff-tab')).StaffTab }))
const AuditTab = lazy(async () => ({ default: (await import('./tabs')).AuditTab }))
const AccuracyTab = lazy(async () => ({ default: (await import('./accuracy-tab')).AccuracyTab }))
const ReportsTab = lazy(async () => ({ default: (await import('./reports-tab')).ReportsTab }))
const PagesTab = lazy(async () => ({ default: (await import('./pages-tab')).PagesTab }))
const PrivacyTab = lazy(async () => ({ default: (await import('./privacy-tab')).PrivacyTab }))
const DueDatesTab = lazy(async () => ({ default: (await import('./due-dates-tab')).DueDatesTab }))
const ScreensTab = lazy(async () => ({ default: (await import('./screens-tab')).ScreensTab }))

function Desk() {
  const user = useUser()
  const { connected } = useLive()
  const dashboard = useQuery(dashboardQuery)
  const [search, setSearch] = useSearchParams()
  useShortcutsHelp(text.shortcuts)

  const tabs = [
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
    { key: 'staff', label: text.tabs.staff, children: <StaffTab /> },
    { key: 'audit', label: text.tabs.audit, children: <AuditTab /> },
    { key: 'accuracy', label: messages.forecast.accuracyTab, children: <AccuracyTab /> },
    { key: 'due-dates', label: messages.forecast.due.tab, children: <DueDatesTab /> },
    { key: 'screens', label: text.tabs.screens, children: <ScreensTab /> },
    { key: 'pages', label: messages.visitorLink.tab, children: <PagesTab /> },
    { key: 'privacy', label: text.tabs.privacy, children: <PrivacyTab /> },
    { key: 'reports', label: adminMessages.reports.tab, children: <ReportsTab /> },
  ]
  const chosen = search.get('tab')
  const active = tabs.find(({ key }) => key === chosen)?.key ?? 'analytics'

  return (
    <Page>
      <PageHead
        title={text.title}
        badges={
          <>
            <ConnectionBadge connected={connected} />
            <ClosingButton by={user} />
          </>
        }
      />
      <Totals dashboard={dashboard.data} last="completed" />
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
      <SignInWhenAsked />
    </Page>
  )
}
