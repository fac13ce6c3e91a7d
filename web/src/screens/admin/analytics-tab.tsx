import type { UseQueryResult } from '@tanstack/react-query'
import { Segmented } from 'antd'
import { Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { messages as adminMessages } from '@/admin-messages'
import type { Dashboard } from '@/api/types'
import { chunk } from '@/chunk'
import { Analytics } from '@/features/audit/analytics'
import { inBackground } from '@/in-background'
import { messages } from '@/staff-messages'
import { LoadAgain } from '@/ui/load-again'
import { Panel } from '@/ui/panel'
import { FirstDay } from './settings/first-day'
import { Views } from './views'

const title = messages.admin.tabs.analytics
const text = adminMessages.analytics.views

// The panel is loaded separately, because it is below the figures and imports the calendar.
const ExportPanel = chunk(async () => (await import('@/features/audit/export-panel')).ExportPanel)
const ReportsView = chunk(async () => (await import('./reports-view')).ReportsView)
const AccuracyView = chunk(async () => (await import('./accuracy-view')).AccuracyView)

type Shown = { dashboard: UseQueryResult<Dashboard> }
type Props = Shown & {
  /** The view that the address names. */
  view: string | null | undefined
}

/** The figures of today, the reports of a period, and how accurate the forecasts were. */
export function AnalyticsTab({ dashboard, view }: Props) {
  const [, setSearch] = useSearchParams()
  const views = [
    { key: 'today', label: text.today, content: <Today dashboard={dashboard} /> },
    { key: 'reports', label: text.reports, content: <ReportsView /> },
    { key: 'accuracy', label: text.accuracy, content: <AccuracyView /> },
  ]
  const shown = views.find(({ key }) => key === view)?.key ?? 'today'
  return (
    <>
      <Segmented
        className="analytics-views"
        aria-label={title}
        options={views.map(({ key, label }) => ({ value: key, label }))}
        value={shown}
        onChange={(key) => setSearch({ tab: 'analytics', view: key }, { replace: true })}
      />
      <Views views={views} shown={shown} />
    </>
  )
}

function Today({ dashboard }: Shown) {
  return (
    <FirstDay>
      <Figures dashboard={dashboard} />
      <Suspense fallback={null}>
        <ExportPanel />
      </Suspense>
    </FirstDay>
  )
}

function Figures({ dashboard }: Shown) {
  if (dashboard.data || !dashboard.isError) return <Analytics dashboard={dashboard.data} />
  return (
    <Panel title={title}>
      <LoadAgain text={messages.audit.statsFailed} onRetry={() => inBackground(dashboard.refetch())} />
    </Panel>
  )
}
