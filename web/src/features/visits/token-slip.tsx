import { createPortal } from 'react-dom'
import type { Visit } from '@/api/types'
import { fill } from '@/messages'
import { useOfficeTime } from '@/ui/office-time'
import { serviceNameIn, useServiceTexts } from '@/ui/office-words'
import { useSlipWords } from './slip-words'
import { serviceName } from './visit'
import './token-slip.css'

export const papers = ['58', '80'] as const
export type Paper = (typeof papers)[number]

type Props = { visit: Visit; paper: Paper; brand: string }

/**
 * The printed token: a slip of receipt paper in the visitor's language, without the phone number. It is visible on
 * paper only.
 */
export function TokenSlip({ visit, paper, brand }: Props) {
  const { language, words: text } = useSlipWords(visit)
  const time = useOfficeTime().inLanguage(language)
  const texts = useServiceTexts(visit.service.id)
  const day = time.day(visit.createdAt)
  const at = time.time(visit.createdAt)
  const { from, to } = visit.queue.forecast ?? {}
  return createPortal(
    <div className={`token-slip token-slip-${paper}`} lang={language} aria-hidden="true">
      <p className="token-slip-brand">{brand}</p>
      <p>{text.token}</p>
      <p className="token-slip-number">{visit.token}</p>
      <p className="token-slip-name">{visit.name}</p>
      <p>{serviceNameIn(language, serviceName(visit), texts)}</p>
      <p>{fill(text.at, { day, time: at })}</p>
      {from && to ? <p>{fill(text.range, { from: time.shortTime(from), to: time.shortTime(to) })}</p> : null}
      {visit.queue.correctedAt ? <p>{text.corrected}</p> : null}
      <p className="token-slip-foot">{text.wait}</p>
    </div>,
    document.body,
  )
}
