import { lazy, Suspense } from 'react'
import { createPortal } from 'react-dom'
import type { Visit } from '@/api/types'
import { fill, locale } from '@/messages'
import { messages } from '@/staff-messages'
import { useOfficeTime } from '@/ui/office-time'
import { serviceNameIn, useServiceTexts } from '@/ui/office-words'
import { useRangeWords } from './range'
import { useSlipWords } from './slip-words'
import { serviceName } from './visit'
import './token-slip.css'

// The code is loaded with the first slip.
const SlipCode = lazy(async () => ({ default: (await import('./slip-code')).SlipCode }))

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
  const rangeWords = useRangeWords()
  const { forecast } = visit.queue
  return createPortal(
    <div className={`token-slip token-slip-${paper}`} lang={language} aria-hidden="true">
      <p className="token-slip-brand">{brand}</p>
      <p>{text.token}</p>
      <p className="token-slip-number">{visit.token}</p>
      <p className="token-slip-name">{visit.name}</p>
      <p>{serviceNameIn(language, serviceName(visit), texts)}</p>
      <p>{fill(text.at, { day, time: at })}</p>
      {forecast?.from ? <p lang={locale}>{rangeWords(forecast)}</p> : null}
      {visit.queue.correctedAt ? <p lang={locale}>{messages.life.correct.slip}</p> : null}
      <Suspense fallback={null}>
        <SlipCode id={visit.id} language={language} />
      </Suspense>
      <p className="token-slip-foot">{text.wait}</p>
    </div>,
    document.body,
  )
}
