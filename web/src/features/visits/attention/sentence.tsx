import { useState } from 'react'
import { messages as attention } from '@/attention-messages'
import { serverNow } from '@/clock'
import { tokenText } from '@/features/visits/data/token-word'
import { fill } from '@/messages'
import { Filled } from '@/ui/filled'
import { minutesAndSeconds, minutesBetween, RunningTime, useNow, useOfficeTime } from '@/ui/office-time'
import { useServiceNames } from '@/ui/office-words'
import { usePaperNames } from '@/ui/paper-words'
import type { Listed, Need } from './needs'

const text = attention.attention

type Props = {
  of: Need
  /** Whether times stand still. In a live region, each change of a running time would be announced. */
  still?: boolean
}

export function Sentence({ of: need, still = false }: Props) {
  const { time } = useOfficeTime()
  const nameOf = useServiceNames()
  switch (need.kind) {
    case 'arrival': {
      const { name, service } = need.arrival
      return fill(text.atTheDoor, { name, service: nameOf(service) })
    }
    case 'return':
      return fill(attention.arrivals.back, { token: need.token })
    case 'call_unanswered': {
      const passed = still ? <TimeSoFar since={need.since} /> : <RunningTime since={need.since} />
      return <Filled message={text.notCome} values={{ token: tokenOf(need), time: passed }} />
    }
    case 'desk_without_number':
      return fill(text.noNumber, { name: need.consultant?.name ?? '' })
    case 'papers_missing':
      return <Papers of={need} />
    case 'waiting_long':
      return <LongWait of={need} still={still} />
    case 'appointment_late': {
      const { service: name = '' } = need.values
      return fill(text.late, { time: time(need.since), service: nameOf({ id: name, name }) })
    }
    case 'pin_away':
      return fill(text.away[need.values.desk ?? 'off'], {
        token: tokenOf(need),
        name: need.consultant?.name ?? '',
      })
  }
}

const tokenOf = ({ visit }: Listed) => (visit ? tokenText(visit) : '')

/** The time from `since` until the first render. It is not updated. */
function TimeSoFar({ since }: { since: string }) {
  const [seconds] = useState(() => Math.max(0, Math.floor((serverNow() - Date.parse(since)) / 1_000)))
  return minutesAndSeconds(seconds)
}

function Papers({ of: need }: { of: Listed }) {
  const { known, counter, values } = need
  const nameOf = usePaperNames(known?.service.id ?? '')
  const token = tokenOf(need)
  const place = counter ? fill(text.atDesk, { token, counter }) : token
  const paper = values.paper ? nameOf(values.paper) : ''
  return values.more
    ? fill(text.papers, { place, paper, count: values.more })
    : fill(text.paper, { place, paper })
}

function LongWait({ of: need, still }: { of: Listed; still: boolean }) {
  const [shown] = useState(serverNow)
  const now = useNow(15_000)
  const minutes = minutesBetween(need.since, still ? shown : now)
  return fill(text.waitsLong, { token: tokenOf(need), minutes })
}
