import { useQuery } from '@tanstack/react-query'
import { Button, Input } from 'antd'
import { useRef, type KeyboardEvent } from 'react'
import type { AppointmentDay, DaySlot, StaffAppointment } from '@/api/types'
import { inBackground } from '@/in-background'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { Empty } from '@/ui/empty'
import { LoadAgain } from '@/ui/load-again'
import { useOfficeTime } from '@/ui/office-time'
import { ScrollRegion } from '@/ui/panel'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { dayQuery } from './queries'
import { Row } from './row'
import type { Acts } from './use-acts'
import { dayAfter, type Work } from './work'

const text = messages.day

type Props = { date: string; onDate: (date: string) => void; work: Work; acts: Acts }

/** The appointments of one day in their slots. Arrow keys choose a row; PageUp, PageDown and Home choose the day. */
export function DayView({ date, onDate, work, acts }: Props) {
  const day = useQuery(dayQuery(date))
  const today = useOfficeTime().today()
  const region = useRef<HTMLDivElement>(null)
  const steps: Record<string, string> = {
    PageUp: dayAfter(date, -1),
    PageDown: dayAfter(date, 1),
    Home: today,
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.shiftKey) return
    if (event.target instanceof HTMLElement && event.target.matches('input')) return
    const to = steps[event.key]
    if (to) {
      // The row that has the focus goes with its day.
      region.current?.focus()
      onDate(to)
    } else if (!focusRow(region.current, event.key)) return
    event.preventDefault()
  }
  return (
    <div className="day" ref={region} tabIndex={-1} onKeyDown={onKeyDown}>
      <DayChoice date={date} today={today} onDate={onDate} />
      <ScrollRegion label={text.title}>
        {day.data ? <Slots day={day.data} work={work} acts={acts} /> : null}
        {!day.data && day.isError ? (
          <LoadAgain text={text.loadFailed} onRetry={() => inBackground(day.refetch())} />
        ) : null}
        {day.isPending ? <SkeletonRows label={text.loading} /> : null}
      </ScrollRegion>
    </div>
  )
}

/** Moves the focus to the row above or below. Returns whether there is one. */
function focusRow(region: HTMLElement | null, key: string): boolean {
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return false
  if (document.querySelector('.ant-dropdown:not(.ant-dropdown-hidden)')) return false
  const rows = [...(region?.querySelectorAll<HTMLElement>('[data-appointment]') ?? [])]
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  const next = rows[key === 'ArrowDown' ? at + 1 : Math.max(0, at - 1)]
  next?.focus()
  return next !== undefined
}

type ChoiceProps = { date: string; today: string; onDate: (date: string) => void }

function DayChoice({ date, today, onDate }: ChoiceProps) {
  const time = useOfficeTime()
  return (
    <div className="day-choice">
      <Button aria-label={text.before} aria-keyshortcuts="PageUp" onClick={() => onDate(dayAfter(date, -1))}>
        {'<'}
      </Button>
      <b>
        {time.weekdayOf(date)}, {time.dayOf(date)}
      </b>
      <Button aria-label={text.after} aria-keyshortcuts="PageDown" onClick={() => onDate(dayAfter(date, 1))}>
        {'>'}
      </Button>
      <Button disabled={date === today} aria-keyshortcuts="Home" onClick={() => onDate(today)}>
        {text.today}
      </Button>
      <Input
        type="date"
        aria-label={text.choose}
        value={date}
        onChange={({ target }) => (target.value ? onDate(target.value) : undefined)}
      />
    </div>
  )
}

type SlotsProps = { day: AppointmentDay; work: Work; acts: Acts }

/** One group for each slot, and for each other time at which something is booked. */
function Slots({ day, work, acts }: SlotsProps) {
  const { open, name, slots, appointments } = day
  const times = [...new Set([...slots, ...appointments.map(timed)].map(({ time }) => time))].toSorted()
  return (
    <>
      {open ? null : <p className="day-closed">{name ? fill(text.closed, { name }) : text.closedDay}</p>}
      {appointments.length === 0 ? <Empty text={text.empty} /> : null}
      {times.map((time, index) => (
        <SlotGroup
          key={time}
          time={time}
          slot={slots.find((slot) => slot.time === time)}
          pause={pauseBetween(day, times[index - 1], time)}
          appointments={appointments.filter(({ preferredTime }) => preferredTime === time)}
          {...{ work, acts }}
        />
      ))}
    </>
  )
}

const timed = ({ preferredTime }: StaffAppointment) => ({ time: preferredTime })

/** The break that ends between two slots. */
function pauseBetween({ spans }: AppointmentDay, before: string | undefined, time: string) {
  const index = spans.findIndex(
    ({ from }, at) => at > 0 && before !== undefined && before < from && from <= time,
  )
  const [ended, begun] = [spans[index - 1], spans[index]]
  return ended && begun ? { from: ended.to, to: begun.from } : undefined
}

type GroupProps = {
  time: string
  /** Undefined for a time that is no slot of the day. */
  slot: DaySlot | undefined
  pause: { from: string; to: string } | undefined
  appointments: readonly StaffAppointment[]
  work: Work
  acts: Acts
}

function SlotGroup({ time: at, slot, pause, appointments, work, acts }: GroupProps) {
  const time = useOfficeTime()
  return (
    <>
      {pause ? (
        <p className="day-pause">
          {fill(text.pause, { from: time.timeOf(pause.from), to: time.timeOf(pause.to) })}
        </p>
      ) : null}
      <section className="day-slot" aria-label={time.timeOf(at)}>
        <p className="day-slot-time">
          <b>{time.timeOf(at)}</b>
          {slot ? <span>{fill(text.taken, { taken: slot.taken, capacity: slot.capacity })}</span> : null}
        </p>
        <ul>
          {appointments.map((appointment) => (
            <Row
              key={appointment.id}
              appointment={appointment}
              work={work}
              dated={false}
              own={acts.own === appointment.id}
              busy={acts.busyId === appointment.id}
              onAct={(action) => acts.act(appointment, action)}
            />
          ))}
        </ul>
      </section>
    </>
  )
}
