import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { createPortal } from 'react-dom'
import { useOffice } from '@/features/office/use-office'
import { arrivalOf } from '@/features/visits/order'
import { todayQuery } from '@/features/visits/queries'
import { tokenText } from '@/features/visits/token-word'
import { VisitService } from '@/features/visits/visit-service'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { useOfficeTime } from '@/ui/office-time'
import { StageTag } from '@/ui/stage-tag'
import { timeOf } from './clock'
import type { Texts } from './texts'

const head = messages.visits.queue

type Props = { text: Texts; asOf: string | undefined; onPrinted: () => void }

/** Today's visitors on A4, without phone numbers, for those who call while their screens do not work. */
export function DaySheet({ text, asOf, onPrinted }: Props) {
  const { brand } = useOffice()
  const time = useOfficeTime()
  const { data: visits = [] } = useQuery({ ...todayQuery(), enabled: false })
  useEffect(() => {
    addEventListener('afterprint', onPrinted)
    print()
    return () => removeEventListener('afterprint', onPrinted)
  }, [onPrinted])
  return createPortal(
    <div className="day-sheet" aria-hidden="true">
      <h1>{brand}</h1>
      <p>
        {fill(text.dayList, { day: time.dayOf(time.today()) })}
        {asOf ? `. ${fill(text.asOf, { time: timeOf(asOf) })}` : null}
      </p>
      <table>
        <thead>
          <tr>
            <th>{text.columns.token}</th>
            <th>{text.columns.name}</th>
            <th>{text.columns.service}</th>
            <th>{text.columns.time}</th>
            <th>{head.status}</th>
            <th>{head.consultant}</th>
          </tr>
        </thead>
        <tbody>
          {visits.map((visit) => (
            <tr key={visit.id}>
              <td>{tokenText(visit)}</td>
              <td>{visit.name}</td>
              <td>
                <VisitService of={visit} />
              </td>
              <td>{time.time(arrivalOf(visit))}</td>
              <td>
                <StageTag status={visit.status} stage={visit.queue.stage} counter={visit.queue.counter} />
              </td>
              <td>{visit.assignedConsultant}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>,
    document.body,
  )
}
