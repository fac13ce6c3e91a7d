import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { createPortal } from 'react-dom'
import { useOffice } from '@/features/office/use-office'
import { arrivalOf } from '@/features/visits/data/order'
import { todayQuery } from '@/features/visits/data/queries'
import { tokenText } from '@/features/visits/data/token-word'
import { VisitService } from '@/features/visits/parts/visit-service'
import type { Texts } from '@/live/offline-texts'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { useOfficeTime } from '@/ui/office-time'
import { ServiceName } from '@/ui/office-words'
import { StageTag } from '@/ui/stage-tag'
import { timeOf, today } from './clock'
import { deskState } from './state'
import type { NotedRow } from './store'
import { unsentQuery } from './unsent-rows'
import { tokenOf, type Noted } from './visits'

const head = messages.visits.queue

type Props = { text: Texts; asOf: string | undefined; unsent: number; onPrinted: () => void }

/**
 * Today's visitors on A4, without phone numbers, for staff whose screens do not work. Below them are the unsent
 * visitors of earlier days, because only this desk has them.
 */
export function DaySheet({ text, asOf, unsent, onPrinted }: Props) {
  const { brand } = useOffice()
  const time = useOfficeTime()
  const { data: visits = [] } = useQuery({ ...todayQuery(), enabled: false })
  const { data: kept, isPending } = useQuery(unsentQuery(unsent))
  const earlier = kept?.filter(({ day }) => day !== today()) ?? []
  useEffect(() => {
    if (isPending) return
    addEventListener('afterprint', onPrinted)
    print()
    return () => removeEventListener('afterprint', onPrinted)
  }, [isPending, onPrinted])
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
                <StageTag status={visit.status} queue={visit.queue} />
              </td>
              <td>{visit.assignedConsultant}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {earlier.length > 0 ? <Earlier text={text} rows={earlier} /> : null}
    </div>,
    document.body,
  )
}

type EarlierProps = { text: Texts; rows: readonly (NotedRow & { noted: Noted | undefined })[] }

function Earlier({ text, rows }: EarlierProps) {
  const time = useOfficeTime()
  return (
    <>
      <h2>{text.earlier}</h2>
      <table>
        <thead>
          <tr>
            <th>{text.columns.token}</th>
            <th>{text.columns.name}</th>
            <th>{text.columns.service}</th>
            <th>{text.columns.time}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ day, number, noted }) => (
            <tr key={`${day} ${number}`}>
              <td>{tokenOf(deskState().series, number)}</td>
              <td>{noted ? noted.name : text.unreadableRow}</td>
              <td>
                {noted ? <ServiceName of={{ id: noted.service_id, name: noted.service_name }} /> : null}
              </td>
              <td>
                {time.dayOf(day)}
                {noted ? `, ${timeOf(noted.arrived_at)}` : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
