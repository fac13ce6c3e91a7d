import { useQuery } from '@tanstack/react-query'
import { Suspense, useMemo, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { chunk } from '@/chunk'
import { openAppointmentsQuery } from '@/features/appointments/queries'
import { dashboardQuery } from '@/features/audit/queries'
import { Totals } from '@/features/audit/totals'
import { RoleGate, useUser } from '@/features/auth/gate'
import { ConsultantsList } from '@/features/directory/consultants-list'
import { isAvailable } from '@/features/directory/models'
import { consultantsQuery, servicesQuery } from '@/features/directory/queries'
import { useOffice } from '@/features/office/use-office'
import { minutesUntilFree } from '@/features/visits/data/consultant-choice'
import { desksQuery, lineQuery, pendingQuery, todayQuery } from '@/features/visits/data/queries'
import { PendingList } from '@/features/visits/decide/pending-list'
import { useSelection, type Selection } from '@/features/visits/decide/selection'
import { SeveralTools, useSeveral, type Several } from '@/features/visits/decide/several'
import { DeskState } from '@/features/visits/parts/desk-state'
import { useClosing } from '@/features/visits/session/use-closing'
import { inBackground } from '@/in-background'
import { useLive } from '@/live/live'
import { messages } from '@/staff-messages'
import { ConnectionBadge } from '@/ui/badges'
import { CountTabs, tabPanel } from '@/ui/count-tabs'
import { useNow } from '@/ui/office-time'
import { Page, PageCount, PageHead } from '@/ui/page'
import { Panel } from '@/ui/panel'
import { useShortcuts } from '@/ui/shortcuts'
import { useShortcutsHelp } from '@/ui/shortcuts-help'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { useIsPhone } from '@/ui/use-is-phone'
import './pa.css'

export function Pa() {
  return (
    <RoleGate allow={['pa', 'admin']}>
      <Desk />
    </RoleGate>
  )
}

const text = messages.pa
const shortcuts = [...text.shortcuts, ...messages.day.shortcuts]

// The line, with its drag and drop, is loaded when it is first shown.
const LineTab = chunk(async () => (await import('./line-tab')).LineTab)
const StaffAppointments = chunk(async () => (await import('@/staff-appointments')).StaffAppointments)

/**
 * Returns a function that focuses an element of the open tab. A tab that a shortcut opens may still be loading, so the
 * function waits for the element until the user moves the focus.
 */
function useFocusOn() {
  const desk = useRef<HTMLDivElement>(null)
  const waiting = useRef<MutationObserver>(null)
  const focusOn = (selector: string) => {
    waiting.current?.disconnect()
    const from = document.activeElement
    const focus = () => {
      const element = desk.current?.querySelector<HTMLElement>(`[role="tabpanel"] ${selector}`)
      element?.focus()
      return element != null
    }
    if (focus() || !desk.current) return
    waiting.current = new MutationObserver((_changes, observer) => {
      const now = document.activeElement
      if ((now !== from && now !== document.body) || focus()) observer.disconnect()
    })
    waiting.current.observe(desk.current, { childList: true, subtree: true })
  }
  return { desk, focusOn }
}

/** Whether the focus is lost, or is in the tools or a selected row. Otherwise the user may be typing elsewhere. */
const isAtDecision = () =>
  document.activeElement?.matches('body, .several *, .pending-card:has(.ant-checkbox-checked) *') ?? true

/** The PA's screen. On a phone the visitors come first, and the totals and the end of the day last. */
function Desk() {
  const user = useUser()
  const office = useOffice()
  const phone = useIsPhone()
  const { tab, setTab } = useTab()
  const dashboard = useQuery(dashboardQuery)
  const pending = useQuery(pendingQuery)
  const consultants = useChoices()
  const { desk, focusOn } = useFocusOn()
  const selection = useSelection(pending.data)
  const several = useSeveral(selection, consultants, () => {
    if (isAtDecision()) focusOn('.pending-card:not(:has(.ant-checkbox-checked)) [role="combobox"]')
  })
  const selectable = tab === 'pending' && !phone ? selection : undefined
  useShortcuts({
    F2: () => {
      setTab('pending')
      focusOn('[data-visit] [role="combobox"]')
    },
    ...(selectable ? selectionKeys(selectable) : {}),
    F8: () => {
      setTab('line')
      focusOn('.place-row[tabindex="0"]')
    },
  })
  useShortcutsHelp(shortcuts)

  const totals = <Totals dashboard={dashboard.data} last="wait" />
  const closing = useClosing({ by: user, office })
  // The tools for selected visitors take the place of this button, so that they do not move the rows.
  const atDayEnd = phone || (selectable && selection.selected.length > 0) ? null : closing.button
  return (
    <Page>
      <Head />
      {phone ? null : totals}
      <div className="pa-bar">
        <ListTabs tab={tab} onTab={setTab} />
        {selectable && pending.data?.length ? (
          <SeveralTools selection={selectable} several={several} consultants={consultants} />
        ) : null}
        {atDayEnd}
      </div>
      <div ref={desk}>
        <div {...tabPanel(tab)}>
          {tab === 'pending' ? (
            <Decisions consultants={consultants} selection={selectable} several={several} />
          ) : (
            <Suspense fallback={<SkeletonRows label={messages.life.line.loading} />}>
              {tab === 'line' ? <LineTab /> : <Appointments />}
            </Suspense>
          )}
        </div>
      </div>
      {phone ? (
        <div className="pa-foot">
          {totals}
          {closing.button}
        </div>
      ) : null}
      {closing.sheet}
    </Page>
  )
}

/** The PA books and answers; visits are registered at reception. */
function Appointments() {
  return (
    <Panel title={messages.day.title} untitled>
      <StaffAppointments />
    </Panel>
  )
}

type Tab = 'pending' | 'line' | 'appointments'

/** The tabs of both lists, each with the number of its rows. */
function ListTabs({ tab, onTab }: { tab: Tab; onTab: (tab: Tab) => void }) {
  const { data: pending } = useQuery(pendingQuery)
  const { data: line } = useQuery(lineQuery)
  const { data: requests } = useQuery(openAppointmentsQuery)
  return (
    <CountTabs<Tab>
      label={messages.desk.views.label}
      active={tab}
      onChange={onTab}
      tabs={[
        { key: 'pending', label: text.tabs.pending, count: pending?.length },
        { key: 'line', label: text.tabs.line, count: line?.line.length },
        {
          key: 'appointments',
          label: messages.day.title,
          count: requests === 0 ? undefined : requests,
          unit: messages.reception.waitingRequests,
        },
      ]}
    />
  )
}

function Head() {
  const { connected, connecting } = useLive()
  const pending = useQuery(pendingQuery)
  return (
    <PageHead
      title={text.title}
      badges={<ConnectionBadge connected={connected} connecting={connecting} />}
      aside={<PageCount value={pending.data?.length} unit={text.pending} />}
    />
  )
}

/** The open tab is in the address. */
function useTab() {
  const [search, setSearch] = useSearchParams()
  const named = search.get('tab')
  const tab: Tab = named === 'line' || named === 'appointments' ? named : 'pending'
  const setTab = (chosen: Tab) => {
    if (chosen !== tab) setSearch(chosen === 'pending' ? {} : { tab: chosen }, { replace: true })
  }
  return { tab, setTab }
}

/** Shift+F8 selects or deselects the row that has the focus; Ctrl+F8 selects all rows or none. */
const selectionKeys = ({ toggle, toggleAll }: Selection) => ({
  'Shift+F8': () => {
    const row = document.activeElement?.closest<HTMLElement>('.pending-card')
    if (row?.dataset.visit) toggle(row.dataset.visit)
  },
  'Ctrl+F8': () => {
    toggleAll()
    // The tools for the selected visitors take the place of a button that may have the focus.
    if (document.activeElement?.matches('.pa-bar > button'))
      document.querySelector<HTMLElement>('.several input')?.focus()
  },
})

type DecisionsProps = {
  consultants: ReturnType<typeof useChoices>
  selection: Selection | undefined
  several: Several
}

function Decisions({ consultants: choices, selection, several }: DecisionsProps) {
  const user = useUser()
  const { publishedWait } = useOffice()
  const pending = useQuery(pendingQuery)
  const consultants = useQuery(consultantsQuery)
  const { data: desks = [] } = useQuery(desksQuery)
  return (
    <div className="pa-desk">
      <PendingList
        visits={pending.data}
        failed={pending.isError}
        onRetry={() => inBackground(pending.refetch())}
        consultants={choices}
        publishedWait={publishedWait}
        paId={user.id}
        selection={selection}
        several={several}
      />
      <ConsultantsList
        consultants={consultants.data}
        desks={desks}
        stateOf={(desk) => <DeskState desk={desk} />}
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
