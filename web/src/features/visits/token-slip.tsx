import { createPortal } from 'react-dom'
import type { Visit } from '@/api/types'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { useOfficeTime } from '@/ui/office-time'
import { useRangeWords } from './range'
import { serviceName } from './visit'
import './token-slip.css'

export const papers = ['58', '80'] as const
export type Paper = (typeof papers)[number]

const text = messages.visits.slip

type Props = { visit: Visit; paper: Paper; brand: string }

/** The printed token: a slip of receipt paper without the phone number. Visible on paper only. */
export function TokenSlip({ visit, paper, brand }: Props) {
  const time = useOfficeTime()
  const day = time.day(visit.createdAt)
  const at = time.time(visit.createdAt)
  const words = useRangeWords()
  const { forecast } = visit.queue
  return createPortal(
    <div className={`token-slip token-slip-${paper}`} aria-hidden="true">
      <p className="token-slip-brand">{brand}</p>
      <p>{messages.visits.token}</p>
      <p className="token-slip-number">{visit.token}</p>
      <p className="token-slip-name">{visit.name}</p>
      <p>{serviceName(visit)}</p>
      <p>{fill(text.at, { day, time: at })}</p>
      {forecast?.from ? <p>{words(forecast)}</p> : null}
      {visit.queue.correctedAt ? <p>{messages.life.correct.slip}</p> : null}
      <p className="token-slip-foot">{text.wait}</p>
    </div>,
    document.body,
  )
}
