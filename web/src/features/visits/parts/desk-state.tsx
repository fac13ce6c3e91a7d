import type { ReactNode } from 'react'
import type { Desk } from '@/api/types'
import { tokenText } from '@/features/visits/data/token-word'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { Filled } from '@/ui/filled'
import { minutesBetween, RunningTime, useNow, useOfficeTime } from '@/ui/office-time'
import './desk-state.css'

const text = messages.life.desk.chips

/** What a desk does now, in the same words on every screen. */
export function DeskState({ desk }: { desk: Desk }) {
  const free = desk.state === 'open' && !desk.visit
  return <span className={free ? 'desk-words desk-free' : 'desk-words'}>{useWords(desk)}</span>
}

function useWords({ state, counter, backAt, visit, counterRequired }: Desk): ReactNode {
  const { time } = useOfficeTime()
  if (visit)
    return visit.stage === 'called' ? (
      <Called {...visit} to={counter} />
    ) : (
      <InSession {...visit} at={counter} />
    )
  switch (state) {
    case 'open':
      if (counter) return fill(text.openAt, { counter })
      return counterRequired ? text.openNoNumber : text.open
    case 'break':
      return backAt ? fill(text.breakUntil, { time: time(backAt) }) : text.break
    case 'last':
      return counter ? fill(text.lastAt, { counter }) : text.last
    case 'off':
      return text.off
  }
}

type DeskVisit = NonNullable<Desk['visit']>

function Called({ since, to: counter, ...visit }: DeskVisit & { to: string | null }) {
  const values = { token: tokenText(visit), time: <RunningTime since={since} /> }
  return counter ? (
    <Filled message={text.calledAt} values={{ ...values, counter }} />
  ) : (
    <Filled message={text.called} values={values} />
  )
}

function InSession({ since, at: counter }: DeskVisit & { at: string | null }) {
  const minutes = minutesBetween(since, useNow(15_000))
  return counter ? fill(text.inSessionAt, { minutes, counter }) : fill(text.inSession, { minutes })
}
