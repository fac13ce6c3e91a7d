import { useMutation, useQuery } from '@tanstack/react-query'
import type { InputRef } from 'antd'
import { Suspense, useCallback, useDeferredValue, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { chunk } from '@/chunk'
import { useCheckIn } from '@/check-in'
import type { Appointment, NewVisit, Visit } from '@/api/types'
import { closeRequest } from '@/features/appointments/mutations'
import { expectedQuery } from '@/features/appointments/queries'
import { RoleGate } from '@/features/auth/gate'
import { servicesQuery } from '@/features/directory/queries'
import { useOffice } from '@/features/office/use-office'
import { todayQuery } from '@/features/visits/data/queries'
import { useTicketPort } from '@/features/visits/data/ticket-port'
import { useKept, useSendKept } from '@/features/visits/register/kept'
import { VisitForm } from '@/features/visits/register/visit-form'
import { IssuedTicket } from '@/features/visits/slips/issued-ticket'
import { printSlip } from '@/features/visits/slips/print-slip'
import { inBackground } from '@/in-background'
import { useLive } from '@/live/live'
import { isPairedDesk, loadOffline } from '@/live/offline-port'
import type { Language } from '@/locales/languages'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { ConnectionBadge } from '@/ui/badges'
import { useOfficeTime, type OfficeTime } from '@/ui/office-time'
import { Page, PageCount, PageHead } from '@/ui/page'
import { useShortcuts } from '@/ui/shortcuts'
import { useShortcutsHelp } from '@/ui/shortcuts-help'
import { useIsPhone } from '@/ui/use-is-phone'
import { Lists, useListTab } from './lists'
import { PrivacyRequestDialog } from './privacy-request-dialog'
import './receptionist.css'

export function Receptionist() {
  return (
    <RoleGate allow={['reception', 'admin']}>
      <Desk />
    </RoleGate>
  )
}

const text = messages.reception

// The list is loaded on demand, because most days have no appointments.
const ExpectedToday = chunk(
  async () => (await import('@/features/appointments/expected-today')).ExpectedToday,
)

// `NoticeLine` is loaded with the folded fields of the registration.
const NoticeLine = chunk(async () => (await import('@/features/office/notice-line')).NoticeLine)

// The band is loaded on paired desks only.
const OfflineBand = chunk(async () => (await loadOffline()).OfflineBand)
const isPaired = isPairedDesk()

const none: readonly Language[] = []

const shortcuts = [...text.shortcuts, ...messages.day.shortcuts]
const withLanguage = [...shortcuts, { keys: 'F4', does: messages.visitorLanguage.title }]

function Desk() {
  const { brand, languages = none } = useOffice()
  const today = useQuery(todayQuery())
  const services = useQuery(servicesQuery)
  const offered = useMemo(() => services.data?.filter(({ active }) => active) ?? [], [services.data])
  const name = useRef<InputRef>(null)
  const search = useRef<InputRef>(null)
  const { tab, setTab } = useListTab()
  const desk = useRegister()
  const arrivals = useCheckIn(desk.register)
  const shown = today.data?.find(({ id }) => id === desk.issued?.id) ?? desk.issued
  const request = desk.request
  const time = useOfficeTime()
  const requests = useQuery(expectedQuery(time.today())).data
  const kept = useKept()
  const awaited = useMemo(() => {
    const taken = [request?.id, ...kept.map(({ visit }) => visit.appointment_id)]
    return requests?.filter(({ id }) => !taken.includes(id)) ?? []
  }, [requests, request, kept])
  const [large, setLarge] = useState(false)
  const [requesting, setRequesting] = useState(false)
  const phone = useIsPhone()

  const { refetch } = services
  const retry = useCallback(() => inBackground(refetch()), [refetch])
  const notice = useCallback(
    (language: Language) => (
      <NoticeLine language={language} offered={languages} onRequest={() => setRequesting(true)} />
    ),
    [languages],
  )
  // The id is deferred, so that the ticket is drawn before the lists.
  const issuedId = useDeferredValue(desk.issued?.id)

  // On a phone the ticket fills the screen, because the phone is turned to the visitor.
  const { show: showTicket } = desk
  const show = useCallback(
    (visit: Visit) => {
      showTicket(visit)
      if (phone) setLarge(true)
    },
    [showTicket, phone],
  )
  useTicketPort(show)

  const visits = today.data
  const print = useCallback(
    ({ id }: Pick<Visit, 'id'>) => {
      const visit = visits?.find((one) => one.id === id)
      if (!visit) return
      // The slip of this visit is drawn first.
      flushSync(() => showTicket(visit))
      inBackground(printSlip())
    },
    [visits, showTicket],
  )

  useShortcuts({
    F2: () => name.current?.focus(),
    F8: () => {
      if (tab === 'appointments') setTab('waiting')
      // The search may not be rendered yet.
      requestAnimationFrame(() => search.current?.focus())
    },
    'Shift+F8': () => setTab('appointments'),
    F9: () => (shown ? inBackground(printSlip()) : undefined),
    'Shift+F9': () => setLarge(shown !== null),
    ...(shown && { Escape: desk.putAway }),
  })
  useShortcutsHelp(languages.length > 1 ? withLanguage : shortcuts)

  const ticket = (
    <IssuedTicket
      visit={shown}
      minutes={offered.find(({ id }) => id === shown?.service.id)?.estimatedTime}
      office={{ brand, languages }}
      large={large}
      onLarge={setLarge}
      onPutAway={desk.putAway}
    />
  )

  return (
    <Page>
      <Head count={today.data?.length} />
      {isPaired ? (
        <Suspense fallback={null}>
          <OfflineBand />
        </Suspense>
      ) : null}
      <div className="reception">
        {phone ? ticket : null}
        <div className="reception-form">
          <VisitForm
            key={request?.id}
            services={offered}
            loading={services.isPending}
            failed={services.errorUpdateCount > 0 && !services.data}
            onRetry={retry}
            languages={languages}
            notice={notice}
            nameRef={name}
            expected={request ? expectedOf(request, offered, time) : undefined}
            awaited={awaited}
            onAwaited={desk.register}
            onForget={desk.forget}
            onCreated={desk.created}
            onKept={desk.kept}
            onShow={show}
            onPrint={print}
          />
          <Suspense fallback={null}>
            {requesting ? <PrivacyRequestDialog onClose={() => setRequesting(false)} /> : null}
          </Suspense>
        </div>
        {phone ? null : ticket}
        <div className="reception-queue">
          {awaited.length > 0 ? (
            <Suspense fallback={null}>
              <ExpectedToday
                requests={awaited}
                onCheckIn={arrivals.checkIn}
                busy={arrivals.isPending}
                onAll={() => setTab('appointments')}
              />
            </Suspense>
          ) : null}
          <Lists
            tab={tab}
            onTab={setTab}
            searchRef={search}
            issuedId={issuedId}
            onShow={show}
            arrivals={arrivals}
          />
        </div>
      </div>
    </Page>
  )
}

function Head({ count }: { count: number | undefined }) {
  const { connected, connecting } = useLive()
  return (
    <PageHead
      title={text.title}
      badges={<ConnectionBadge connected={connected} connecting={connecting} />}
      aside={<PageCount value={count} unit={text.today} />}
    />
  )
}

/**
 * The appointment request that fills the form, and the visit of the last token. The server marks an appointment whose
 * visit was registered; a request without the time of its visit is closed here.
 */
function useRegister() {
  const [issued, setIssued] = useState<Visit | null>(null)
  const [request, setRequest] = useState<Appointment | null>(null)
  const close = useMutation(closeRequest)
  const setReached = useSendKept(() => undefined)
  // A response for a form that was left does not change the form that is open now.
  const forget = () => setRequest((now) => (now?.id === request?.id ? null : now))
  const created = (visit: Visit, sent: NewVisit) => {
    setIssued(visit)
    setReached(true)
    if (request && sent.appointment_id !== request.id) close.mutate(request.id)
    forget()
  }
  const kept = () => {
    setReached(false)
    forget()
  }
  return {
    issued,
    request,
    created,
    kept,
    show: setIssued,
    putAway: () => setIssued(null),
    register: setRequest,
    forget,
  }
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
    // The visitor keeps the confirmed time.
    ...(isConfirmed ? { appointment_id: id } : {}),
  }
}
