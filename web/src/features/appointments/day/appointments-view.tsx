import { useQuery } from '@tanstack/react-query'
import { Button, Segmented } from 'antd'
import { Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import { chunk } from '@/chunk'
import { openAppointmentsQuery } from '@/features/appointments/queries'
import { counted } from '@/messages'
import { messages } from '@/staff-messages'
import { Icon } from '@/ui/icon'
import { useOfficeTime } from '@/ui/office-time'
import { Kbd, useShortcuts } from '@/ui/shortcuts'
import { DayView } from './day-view'
import { ListView } from './list-view'
import { listQuery } from './queries'
import { useActs } from './use-acts'
import type { Work } from './work'
import './appointments.css'

const text = messages.day

const BookDialog = chunk(async () => (await import('@/features/appointments/book/book-dialog')).BookDialog)

const views = ['day', 'requests', 'time'] as const
type View = (typeof views)[number]

/** The appointments of staff: a day, the requests, and what needs a new time. View and day are in the address. */
export function AppointmentsView({ work }: { work: Work }) {
  const today = useOfficeTime().today()
  const [search, setSearch] = useSearchParams()
  const view = views.find((one) => one === search.get('view')) ?? 'day'
  const date = search.get('day') ?? today
  const acts = useActs(work)
  const [booking, setBooking] = useState(false)
  const set = (name: string, value: string) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before)
        if (value) next.set(name, value)
        else next.delete(name)
        return next
      },
      { replace: true },
    )
  useShortcuts({ 'Shift+F4': () => setBooking(true) })
  return (
    <div className="appointments">
      <div className="appointments-head">
        <Views view={view} onView={(chosen) => set('view', chosen === 'day' ? '' : chosen)} />
        <Button
          type="primary"
          icon={<Icon name="plus" size={16} />}
          aria-keyshortcuts="Shift+F4"
          onClick={() => setBooking(true)}
        >
          {text.book} <Kbd>{text.bookKey}</Kbd>
        </Button>
      </div>
      {view === 'day' ? (
        <DayView date={date} onDate={(on) => set('day', on === today ? '' : on)} {...{ work, acts }} />
      ) : (
        <ListView key={view} of={view} {...{ work, acts }} />
      )}
      {acts.dialog}
      {booking ? (
        <Suspense fallback={null}>
          <BookDialog day={date} work={work} onClose={() => setBooking(false)} />
        </Suspense>
      ) : null}
    </div>
  )
}

function Views({ view, onView }: { view: View; onView: (view: View) => void }) {
  const { data: pending = 0 } = useQuery(openAppointmentsQuery)
  const { data: moved } = useQuery(listQuery('time', 1))
  const counts = { day: 0, requests: pending, time: moved?.pagination.total ?? 0 }
  return (
    <Segmented<View>
      aria-label={text.views.label}
      value={view}
      onChange={onView}
      options={views.map((value) => ({
        value,
        label: counts[value] > 0 ? `${text.views[value]} ${counted(counts[value])}` : text.views[value],
      }))}
    />
  )
}
