import { useQuery } from '@tanstack/react-query'
import { Tabs } from 'antd'
import { lazy, Suspense, useMemo, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { dashboardQuery } from '@/features/audit/queries'
import { Totals } from '@/features/audit/totals'
import { RoleGate, useUser } from '@/features/auth/gate'
import { ConsultantsList } from '@/features/directory/consultants-list'
import { isAvailable } from '@/features/directory/models'
import { consultantsQuery, servicesQuery } from '@/features/directory/queries'
import { useOffice } from '@/features/office/use-office'
import { minutesUntilFree } from '@/features/visits/data/consultant-choice'
import { pendingQuery, todayQuery } from '@/features/visits/data/queries'
import { PendingList } from '@/features/visits/decide/pending-list'
import { ClosingButton } from '@/features/visits/session/closing-button'
import { inBackground } from '@/in-background'
import { useLive } from '@/live/live'
import { messages } from '@/staff-messages'
import { ConnectionBadge } from '@/ui/badges'
import { useNow } from '@/ui/office-time'
import { Page, PageCount, PageHead } from '@/ui/page'
import { useShortcuts } from '@/ui/shortcuts'
import { useShortcutsHelp } from '@/ui/shortcuts-help'
import { SkeletonRows } from '@/ui/skeleton-rows'
import './pa.css'

export function Pa() {
  return (
    <RoleGate allow={['pa', 'admin']}>
      <Desk />
    </RoleGate>
  )
}

const text = messages.pa

// The line with its dragging is loaded with the first look at it.
const LineTab = lazy(async () => ({ default: (await import('./line-tab')).LineTab }))

/** A tab and its list may not be rendered when their key is pressed. */
const mostFrames = 60

function Desk() {
  const desk = useRef<HTMLDivElement>(null)
  const { tab, setTab } = useTab()
  const dashboard = useQuery(dashboardQuery)

  const focusOn = (selector: string, frames = mostFrames) => {
    const element = desk.current?.querySelector<HTMLElement>(
      `[role="tabpanel"]:not([aria-hidden="true"]) ${selector}`,
    )
    if (element) element.focus()
    else if (frames > 0) requestAnimationFrame(() => focusOn(selector, frames - 1))
  }
  useShortcuts({
    F2: () => {
      setTab('pending')
      focusOn('[data-visit] [role="combobox"]')
    },
    F8: () => {
      setTab('line')
      focusOn('.place-row[tabindex="0"]')
    },
  })
  useShortcutsHelp(text.shortcuts)

  return (
    <Page>
      <Head />
      <Totals dashboard={dashboard.data} last="wait" />
      <div ref={desk}>
        <Tabs
          className="pa-tabs"
          activeKey={tab}
          onChange={setTab}
          items={[
            { key: 'pending', label: text.tabs.pending, children: <Decisions /> },
            {
              key: 'line',
              label: text.tabs.line,
              children: (
                <Suspense fallback={<SkeletonRows label={messages.life.line.loading} />}>
                  <LineTab />
                </Suspense>
              ),
            },
          ]}
        />
      </div>
    </Page>
  )
}

function Head() {
  const user = useUser()
  const { connected } = useLive()
  const pending = useQuery(pendingQuery)
  return (
    <PageHead
      title={text.title}
      badges={
        <>
          <ConnectionBadge connected={connected} />
          <ClosingButton by={user} />
        </>
      }
      aside={<PageCount value={pending.data?.length} unit={text.pending} />}
    />
  )
}

/** The open tab is in the address. */
function useTab() {
  const [search, setSearch] = useSearchParams()
  const tab = search.get('tab') === 'line' ? 'line' : 'pending'
  const setTab = (chosen: string) => {
    if (chosen !== tab) setSearch(chosen === 'line' ? { tab: chosen } : {}, { replace: true })
  }
  return { tab, setTab }
}

function Decisions() {
  const user = useUser()
  const { publishedWait } = useOffice()
  const pending = useQuery(pendingQuery)
  const consultants = useQuery(consultantsQuery)
  const choices = useChoices()
  return (
    <div className="pa-desk">
      <PendingList
        visits={pending.data}
        failed={pending.isError}
        onRetry={() => inBackground(pending.refetch())}
        consultants={choices}
        publishedWait={publishedWait}
        paId={user.id}
      />
      <ConsultantsList
        consultants={consultants.data}
        failed={consultants.isError}
        onRetry={() => inBackground(consultants.refetch())}
      />
    </div>
  )
}

/** The active consultants with the time until they are free. */
function useChoices() {
  const { data: team } = useQuery(consultantsQuery)
  const { data: visits } = useQuery(todayQuery())
  const { data: services } = useQuery(servicesQuery)
  const now = useNow(60_000)
  return useMemo(() => {
    const estimates = new Map(services?.map(({ id, estimatedTime }) => [id, estimatedTime]))
    const minutes = minutesUntilFree(visits ?? [], estimates, now)
    return (team ?? [])
      .filter(({ isActive }) => isActive)
      .map((consultant) => ({
        ...consultant,
        available: isAvailable(consultant),
        freeIn: minutes.get(consultant.id) ?? 0,
      }))
  }, [team, visits, services, now])
}
