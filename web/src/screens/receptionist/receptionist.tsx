import { useMutation, useQuery } from '@tanstack/react-query'
import { Tabs, type InputRef } from 'antd'
import { lazy, Suspense, useRef, useState, type RefObject } from 'react'
import { useSearchParams } from 'react-router'
import type { Appointment, Visit } from '@/api/types'
import { answerAppointment } from '@/features/appointments/mutations'
import { openAppointmentsQuery } from '@/features/appointments/queries'
import { RoleGate, useUser } from '@/features/auth/gate'
import { servicesQuery } from '@/features/directory/queries'
import { SendNotification } from '@/features/notifications/send-notification'
import { useOffice } from '@/features/office/use-office'
import { may, subjectOf } from '@/features/visits/actions'
import { IssuedTicket } from '@/features/visits/issued-ticket'
import { todayQuery } from '@/features/visits/queries'
import { QueueList } from '@/features/visits/queue-list'
import { useVisitActions } from '@/features/visits/use-visit-actions'
import { VisitForm } from '@/features/visits/visit-form'
import { useLive } from '@/live/live'
import { fill, messages } from '@/messages'
import { ConnectionBadge } from '@/ui/badges'
import { useOfficeTime, type OfficeTime } from '@/ui/office-time'
import { Page, PageCount, PageHead } from '@/ui/page'
import { ShortcutsHelp, useShortcuts } from '@/ui/shortcuts'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { useIsPhone } from '@/ui/use-is-phone'
import './receptionist.css'

export function Receptionist() {
  return (
    <RoleGate allow={['reception', 'admin']}>
      <Desk />
    </RoleGate>
  )
}

const text = messages.reception

// The requests are loaded with their tab.
const AppointmentRequests = lazy(async () => ({
  default: (await import('@/features/appointments/appointment-requests')).AppointmentRequests,
}))

function Desk() {
  const { brand } = useOffice()
  const today = useQuery(todayQuery())
  const services = useQuery(servicesQuery)
  const offered = services.data?.filter(({ active }) => active) ?? []
  const name = useRef<InputRef>(null)
  const search = useRef<InputRef>(null)
  const { tab, setTab } = useTab()
  const desk = useRegister()
  const shown = today.data?.find(({ id }) => id === desk.issued?.id) ?? desk.issued
  const request = desk.request
  const time = useOfficeTime()
  const [large, setLarge] = useState(false)
  const phone = useIsPhone()

  useShortcuts({
    F2: () => name.current?.focus(),
    F8: () => {
      setTab('queue')
      // The list may not be rendered yet.
      requestAnimationFrame(() => search.current?.focus())
    },
    'Shift+F8': () => setTab('appointments'),
    F9: () => (shown ? window.print() : undefined),
    'Shift+F9': () => setLarge(shown !== null),
  })

  const ticket = (
    <IssuedTicket
      visit={shown}
      minutes={offered.find(({ id }) => id === shown?.service.id)?.estimatedTime}
      brand={brand}
      large={large}
      onLarge={setLarge}
    />
  )

  return (
    <Page>
      <Head count={today.data?.length} />
      <div className="reception">
        {phone ? ticket : null}
        <div className="reception-form">
          <VisitForm
            key={request?.id}
            services={offered}
            loading={services.isPending}
            failed={services.errorUpdateCount > 0 && !services.data}
            onRetry={() => void services.refetch()}
            nameRef={name}
            expected={request ? expectedOf(request, offered, time) : undefined}
            onForget={desk.forget}
            onCreated={desk.created}
          />
        </div>
        {phone ? null : ticket}
        <div className="reception-queue">
          <Lists tab={tab} onTab={setTab} searchRef={search} desk={desk} />
        </div>
      </div>
    </Page>
  )
}

function Head({ count }: { count: number | undefined }) {
  const { connected } = useLive()
  return (
    <PageHead
      title={text.title}
      badges={
        <>
          <ConnectionBadge connected={connected} />
          <SendNotification />
          <ShortcutsHelp lines={text.shortcuts} />
        </>
      }
      aside={<PageCount value={count} unit={text.today} />}
    />
  )
}

type ListsProps = {
  tab: string
  onTab: (tab: string) => void
  searchRef: RefObject<InputRef | null>
  desk: ReturnType<typeof useRegister>
}

/** Today's visitors and the appointment requests, each in a tab. */
function Lists({ tab, onTab, searchRef, desk }: ListsProps) {
  const today = useQuery(todayQuery())
  const { menuOf, dialog } = useRows(today.data)
  const queue = (
    <QueueList
      visits={today.data}
      failed={today.isError}
      onRetry={() => void today.refetch()}
      freshId={desk.issued?.id}
      searchRef={searchRef}
      onShow={desk.show}
      menuOf={menuOf}
    />
  )
  const requests = (
    <Suspense fallback={<SkeletonRows label={messages.appointments.loading} />}>
      <AppointmentRequests onRegister={desk.register} />
    </Suspense>
  )
  return (
    <>
      <Tabs
        activeKey={tab}
        onChange={onTab}
        items={[
          { key: 'queue', label: text.tabs.queue, children: queue },
          { key: 'appointments', label: <RequestsLabel />, children: requests },
        ]}
      />
      {dialog}
    </>
  )
}

/** The actions of today's visits, and the keys for the row that has the focus, or the only one that is shown. */
function useRows(visits: readonly Visit[] = []) {
  const user = useUser()
  const { timeZone } = useOffice()
  const today = useOfficeTime().today()
  const services = useQuery(servicesQuery)
  const offered = services.data?.filter(({ active }) => active) ?? []
  const { menuOfVisit, choose, dialog } = useVisitActions({ by: user, services: offered, timeZone, today })
  const onChosen = (action: 'recall' | 'back') => {
    const rows = [...document.querySelectorAll<HTMLElement>('.ledger [data-visit]')]
    const row =
      rows.find((one) => one.contains(document.activeElement)) ?? (rows.length === 1 ? rows[0] : undefined)
    const visit = visits.find(({ id }) => id === row?.dataset.visit)
    if (!visit) return
    const subject = subjectOf(visit, today)
    if (may(action, subject, user)) choose(subject, { action })
  }
  useShortcuts({ 'Ctrl+F8': () => onChosen('recall'), 'Ctrl+Shift+F8': () => onChosen('back') })
  return { menuOf: menuOfVisit, dialog }
}

/** The open tab is in the address, so that the link in the mail opens the requests. */
function useTab() {
  const [search, setSearch] = useSearchParams()
  const tab = search.get('tab') === 'appointments' ? 'appointments' : 'queue'
  const setTab = (chosen: string) => setSearch(chosen === 'queue' ? {} : { tab: chosen }, { replace: true })
  return { tab, setTab }
}

/** The request that fills the form, and the last token. A request that became a visit is done. */
function useRegister() {
  const [issued, setIssued] = useState<Visit | null>(null)
  const [request, setRequest] = useState<Appointment | null>(null)
  const answer = useMutation(answerAppointment)
  const created = (visit: Visit) => {
    setIssued(visit)
    if (!request) return
    answer.mutate({ id: request.id, status: 'done' })
    setRequest(null)
  }
  return { issued, request, created, show: setIssued, register: setRequest, forget: () => setRequest(null) }
}

function RequestsLabel() {
  const { data: count } = useQuery(openAppointmentsQuery)
  return (
    <>
      {text.tabs.appointments}
      {count ? (
        <span className="tab-count">
          {count}
          <span className="visually-hidden"> {text.waitingRequests}</span>
        </span>
      ) : null}
    </>
  )
}

type Offered = readonly { id: string; name: string }[]

/** The form values of a request; a service that is no longer offered is left empty. */
function expectedOf(request: Appointment, offered: Offered, { dayOf, timeOf, today }: OfficeTime) {
  const { id, name, phone, service, message, preferredDate, preferredTime, status } = request
  const isConfirmed = status === 'confirmed' && preferredDate === today()
  const known = offered.find((one) => one.name === service)
  return {
    from: fill(text.fromRequest, { name, day: dayOf(preferredDate), time: timeOf(preferredTime) }),
    name,
    phone,
    notes: message,
    ...(known ? { serviceId: known.id } : {}),
    // The visitor keeps the slot.
    ...(isConfirmed ? { appointment_id: id } : {}),
  }
}
