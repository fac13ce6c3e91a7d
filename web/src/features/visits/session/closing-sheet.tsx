import { useQuery } from '@tanstack/react-query'
import { Button, Drawer } from 'antd'
import { useState } from 'react'
import type { Office } from '@/api/office'
import type { Visit } from '@/api/types'
import { serverNow } from '@/clock'
import { useAct } from '@/features/visits/data/act'
import { may, subjectOf, type Actor } from '@/features/visits/data/actions'
import { useBatch } from '@/features/visits/data/batch'
import { heldWords } from '@/features/visits/data/held-words'
import type { Intent } from '@/features/visits/data/intent'
import { laterToday } from '@/features/visits/data/later-today'
import { todayQuery } from '@/features/visits/data/queries'
import { isOpen } from '@/features/visits/data/stage'
import { VisitService } from '@/features/visits/parts/visit-service'
import { fill, plural } from '@/messages'
import { openingOn, type OpeningTimes } from '@/opening-on'
import { messages } from '@/staff-messages'
import { Empty } from '@/ui/empty'
import { ConfirmDialog } from '@/ui/form-dialog'
import { useOfficeTime } from '@/ui/office-time'
import { StageTag } from '@/ui/stage-tag'
import { hourOfDay, timeOfDay } from '@/ui/time-of-day'
import { Token } from '@/ui/token'
import { useIsPhone } from '@/ui/use-is-phone'
import { useReturnFocus } from '@/ui/use-return-focus'
import './closing-sheet.css'

const text = messages.life.closing

/** What can be done with an open visit at the end of the day. */
const ends = {
  left: { action: 'leave' },
  carry: { action: 'hold', body: { reason: 'other', note: text.carried } },
  tomorrow: { action: 'hold', body: { reason: 'person', note: text.callTomorrow } },
} as const satisfies Record<string, Intent>

type End = keyof typeof ends
const names = { left: text.leftOf, carry: text.carryOf, tomorrow: text.tomorrowOf } as const

type Props = {
  by: Actor
  office: Hours
  onClose: () => void
}

/** The open visits at the end of the day, with a choice for each. */
export function ClosingSheet({ by, office, onClose }: Props) {
  useReturnFocus()
  const phone = useIsPhone()
  const time = useOfficeTime()
  const { data: visits = [] } = useQuery(todayQuery())
  const { act, pending } = useAct()
  const all = useBatch()
  const here = visits.filter(isOpen)
  const allowed = (visit: Visit, end: End) => may(ends[end].action, subjectOf(visit, time.today()), by)
  const until = openUntil(office, time.today(), serverNow())

  return (
    <Drawer
      open
      title={text.title}
      size={phone ? '100%' : 640}
      closable={{ placement: 'end', 'aria-label': messages.life.close }}
      onClose={onClose}
    >
      {until ? <p className="closing-open">{fill(text.openUntil, { time: until })}</p> : null}
      {here.length === 0 ? (
        <Empty text={text.empty} />
      ) : (
        <>
          <p className="closing-explain">{text.explain}</p>
          <ForAll
            left={here.filter((visit) => allowed(visit, 'left'))}
            carried={here.filter((visit) => allowed(visit, 'carry'))}
            batch={all}
          />
          <ul className="closing">
            {here.map((visit) => (
              <Entry
                key={visit.id}
                visit={visit}
                busy={pending || all.pending}
                allowed={(end) => allowed(visit, end)}
                onEnd={(end) => act(visit, ends[end])}
              />
            ))}
          </ul>
        </>
      )}
    </Drawer>
  )
}

export type Hours = OpeningTimes & Pick<Office, 'timeZone'>

const hourMs = 60 * 60_000

/** The time at which the office closes; undefined unless it has opened today and closes more than an hour from now. */
function openUntil(hours: Hours, today: string, now: number): string | undefined {
  const { timeZone } = hours
  const spans = openingOn(hours, today)
  const [from, to] = [spans.at(0)?.from, spans.at(-1)?.to]
  if (!from || !to || laterToday(from, now, timeZone)) return undefined
  const closes = laterToday(to, now, timeZone)
  if (!closes || Date.parse(closes) - now <= hourMs) return undefined
  return to.endsWith(':00') ? hourOfDay(Number.parseInt(to, 10)) : timeOfDay(to)
}

type ForAllProps = { left: readonly Visit[]; carried: readonly Visit[]; batch: ReturnType<typeof useBatch> }

/**
 * Carries all visits over or ends them as left, with one undo. Visitors' pages show an end, so it is confirmed.
 */
function ForAll({ left, carried, batch }: ForAllProps) {
  const [asking, setAsking] = useState(false)
  const { length: count } = left
  const carry = () => {
    const { action, body } = ends.carry
    batch.act(carried, { action, ...body })
  }
  return (
    <div className="closing-all">
      <Button size="small" disabled={batch.pending || carried.length === 0} onClick={carry}>
        {text.allCarry}
      </Button>
      <Button size="small" disabled={batch.pending || count === 0} onClick={() => setAsking(true)}>
        {text.allLeft}
      </Button>
      {asking ? (
        <ConfirmDialog
          title={fill(plural(text.endTitle, count), { count })}
          text={plural(text.endText, count)}
          submit={fill(plural(text.endAll, count), { count })}
          back={messages.life.back}
          onConfirm={() => {
            batch.act(left, ends.left)
            setAsking(false)
          }}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </div>
  )
}

type EntryProps = {
  visit: Visit
  busy: boolean
  allowed: (end: End) => boolean
  onEnd: (end: End) => void
}

function Entry({ visit, busy, allowed, onEnd }: EntryProps) {
  const time = useOfficeTime()
  const { token, name, queue, assignedConsultant: consultant } = visit
  const held = heldWords(visit, time.time)
  return (
    <li className="closing-entry small-texts">
      <Token small token={token} also={visit.tokenAlso} />
      <span>
        <b>{name}</b>
        <small>
          <VisitService of={visit} />
          {consultant ? ` ${fill(text.startedBy, { name: consultant })}` : null}
        </small>
        {held ? <small>{held}</small> : null}
      </span>
      <StageTag status={visit.status} queue={queue} />
      <span className="closing-acts">
        {(Object.keys(ends) as End[]).filter(allowed).map((end) => (
          <Button
            key={end}
            size="small"
            disabled={busy}
            aria-label={fill(names[end], { token })}
            onClick={() => onEnd(end)}
          >
            {text[end]}
          </Button>
        ))}
      </span>
    </li>
  )
}
