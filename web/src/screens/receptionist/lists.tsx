import { useQuery } from '@tanstack/react-query'
import type { InputRef } from 'antd'
import { memo, Suspense, useCallback, useId, useMemo, useState, type RefObject } from 'react'
import { useSearchParams } from 'react-router'
import { chunk } from '@/chunk'
import type { Visit } from '@/api/types'
import type { CheckIn } from '@/staff-appointments'
import { openAppointmentsQuery } from '@/features/appointments/queries'
import { useUser } from '@/features/auth/gate'
import { servicesQuery } from '@/features/directory/queries'
import { useOffice } from '@/features/office/use-office'
import { may, subjectOf } from '@/features/visits/data/actions'
import { lineQuery, todayQuery } from '@/features/visits/data/queries'
import { useVisitActions } from '@/features/visits/dialogs/use-visit-actions'
import {
  countsOf,
  queueOrders,
  queueViews,
  type QueueOrder,
  type QueueView,
} from '@/features/visits/lists/queue-filter'
import { QueueList, QueueSearch } from '@/features/visits/lists/queue-list'
import { inBackground } from '@/in-background'
import { isUnsent } from '@/live/offline-mode'
import { messages } from '@/staff-messages'
import { keys, read, write } from '@/storage'
import { CountTabs, tabPanel } from '@/ui/count-tabs'
import { useOfficeTime } from '@/ui/office-time'
import { useShortcuts } from '@/ui/shortcuts'
import { SkeletonRows } from '@/ui/skeleton-rows'

const text = messages.reception

export type ListTab = QueueView | 'appointments'

// The appointments are loaded with their tab.
const StaffAppointments = chunk(async () => (await import('@/staff-appointments')).StaffAppointments)

type Props = {
  tab: ListTab
  onTab: (tab: ListTab) => void
  searchRef: RefObject<InputRef | null>
  /** The visit whose ticket is shown. */
  issuedId: string | undefined
  onShow: (visit: Visit) => void
  arrivals: CheckIn
}

/** Today's visitors by stage and the appointment requests: tabs, counts and search are in one line. */
export const Lists = memo(function Lists({ tab, onTab, searchRef, issuedId, onShow, arrivals }: Props) {
  const today = useQuery(todayQuery())
  const visits = useListed(today.data)
  const places = usePlaces()
  const { order, setOrder } = useOrder()
  const { menuOf, dialog } = useRows(visits)
  const [search, setSearch] = useState('')
  const title = useId()
  const ofQueue = tab !== 'appointments'
  const titles = [messages.visits.queue.title, messages.day.title]
  const [shown, other] = ofQueue ? titles : titles.toReversed()
  const choose = (chosen: ListTab) => {
    setSearch('')
    onTab(chosen)
  }
  // A search covers the visitors of all stages.
  const view = ofQueue && search ? 'all' : tab

  return (
    <section className="panel" aria-labelledby={title}>
      <div className="reception-lists-head">
        <h2 id={title} data-other={other}>
          {shown}
        </h2>
        <ListTabs visits={visits} active={view} onChange={choose} />
        {ofQueue ? <QueueSearch value={search} onChange={setSearch} searchRef={searchRef} /> : null}
      </div>
      <div {...tabPanel(view)}>
        {ofQueue ? (
          <QueueList
            visits={visits}
            view={tab}
            search={search}
            order={order}
            onOrder={setOrder}
            places={places}
            failed={today.isError}
            onRetry={() => inBackground(today.refetch())}
            freshId={issuedId}
            onShow={onShow}
            menuOf={menuOf}
          />
        ) : (
          <Suspense fallback={<SkeletonRows label={messages.day.loading} />}>
            <StaffAppointments arrivals={arrivals} />
          </Suspense>
        )}
      </div>
      {dialog}
    </section>
  )
})

type TabsProps = {
  visits: readonly Visit[] | undefined
  active: ListTab
  onChange: (tab: ListTab) => void
}

function ListTabs({ visits, active, onChange }: TabsProps) {
  const { data: requests } = useQuery(openAppointmentsQuery)
  const counts = useMemo(() => visits && countsOf(visits), [visits])
  return (
    <CountTabs<ListTab>
      label={messages.desk.views.label}
      active={active}
      onChange={onChange}
      tabs={[
        ...queueViews.map((key) => ({ key, label: messages.desk.views[key], count: counts?.[key] })),
        {
          key: 'appointments',
          label: text.tabs.appointments,
          count: requests === 0 ? undefined : requests,
          unit: text.waitingRequests,
        },
      ]}
    />
  )
}

const isOwn = ({ id }: Visit) => isUnsent(id)

/**
 * The order of the list: visits that only this desk has, open visits of earlier days, today's visits, and visits of
 * earlier days that ended today.
 */
function useListed(ofToday: readonly Visit[] | undefined) {
  const { data: line } = useQuery(lineQuery)
  return useMemo(() => {
    const earlier = line ? [...line.leftOver, ...(line.carried ?? [])] : []
    const isOther = ({ id }: Visit) => !ofToday?.some((visit) => visit.id === id)
    const [left, ended] = [earlier.filter(isOther), (line?.ended ?? []).filter(isOther)]
    return (
      ofToday && [...ofToday.filter(isOwn), ...left, ...ofToday.filter((visit) => !isOwn(visit)), ...ended]
    )
  }, [line, ofToday])
}

/** The place in line, by the visit's id. */
function usePlaces() {
  const { data } = useQuery(lineQuery)
  return useMemo(() => new Map(data?.line.map(({ visitId, position }) => [visitId, position])), [data])
}

/** The actions of the listed visits. Keys act on the focused row, or on the only row shown. */
function useRows(visits: readonly Visit[] = []) {
  const user = useUser()
  const { timeZone, brand, languages = [] } = useOffice()
  const today = useOfficeTime().today()
  const services = useQuery(servicesQuery)
  const offered = services.data?.filter(({ active }) => active) ?? []
  const { menuOfVisit, choose, dialog } = useVisitActions({
    by: user,
    services: offered,
    timeZone,
    office: { brand, languages },
    today,
  })
  const onChosen = (action: 'recall' | 'back' | 'papers') => {
    const rows = [...document.querySelectorAll<HTMLElement>('.ledger [data-visit]')]
    const row =
      rows.find((one) => one.contains(document.activeElement)) ?? (rows.length === 1 ? rows[0] : undefined)
    const visit = visits.find(({ id }) => id === row?.dataset.visit)
    if (!visit) return
    const subject = subjectOf(visit, today)
    if (may(action, subject, user)) choose(subject, { action })
  }
  useShortcuts({
    'Ctrl+F8': () => onChosen('recall'),
    'Ctrl+Shift+F8': () => onChosen('back'),
    'Ctrl+F2': () => onChosen('papers'),
  })
  return { menuOf: menuOfVisit, dialog }
}

/** The open list is in the address, so that a link in a mail opens the requests, and a reload keeps the choice. */
export function useListTab() {
  const [search, setSearch] = useSearchParams()
  const named = search.get('tab')
  const tab = ([...queueViews, 'appointments'] as const).find((one) => one === named) ?? 'waiting'
  const setTab = useCallback(
    (chosen: ListTab) => setSearch(changed('tab', chosen === 'waiting' ? '' : chosen), { replace: true }),
    [setSearch],
  )
  return { tab, setTab }
}

/** The order of the waiting visitors is in the address, and the browser keeps the last choice. */
function useOrder() {
  const [search, setSearch] = useSearchParams()
  const named = search.get('order') ?? read(keys.order)
  const order = queueOrders.find((one) => one === named) ?? 'line'
  const setOrder = (chosen: QueueOrder) => {
    write(keys.order, chosen)
    setSearch(changed('order', chosen === 'line' ? '' : chosen), { replace: true })
  }
  return { order, setOrder }
}

/** The address with one parameter changed; an empty parameter is left out. */
const changed = (name: string, value: string) => (search: URLSearchParams) => {
  const next = new URLSearchParams(search)
  if (value) next.set(name, value)
  else next.delete(name)
  return next
}
