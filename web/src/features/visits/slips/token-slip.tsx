import { useQuery } from '@tanstack/react-query'
import { Suspense, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { chunk } from '@/chunk'
import type { Visit } from '@/api/types'
import type { Issuer } from '@/features/visits/data/action-context'
import { arrivalOf } from '@/features/visits/data/order'
import { lineQuery } from '@/features/visits/data/queries'
import { serviceName } from '@/features/visits/data/visit'
import { linkQuery } from '@/features/visits/data/visitor-link'
import { isUnsent } from '@/live/offline-mode'
import { fill } from '@/messages'
import { useOfficeTime } from '@/ui/office-time'
import { serviceNameIn, useServiceTexts } from '@/ui/office-words'
import { usePaperNames } from '@/ui/paper-words'
import { pageFor, type Paper, type Sheet } from './paper-size'
import { useSlipWords, type SlipWords } from './slip-words'
import './slip.css'
import './token-slip.css'

// The module of the QR code is loaded with the first slip.
const SlipCode = chunk(async () => (await import('./slip-code')).SlipCode)

const sheets: Record<Paper, Sheet> = {
  '58': { letters: 22, lines: [15, 23] },
  '80': { letters: 27, lines: [17, 22] },
  a6: { letters: 32, lines: [16, 20] },
}

type Props = { visit: Visit; paper: Paper; office: Issuer }

/**
 * The printed token: a slip in the visitor's language, without the phone number. The instructions are also in the
 * second language of `languagesOfPaper`. It is visible on paper only.
 */
export function TokenSlip({ visit, paper, office }: Props) {
  const words = useSlipWords(visit, office.languages)
  const lines = useLines(visit, words)
  const page = pageFor([office.brand, ...lines.map(({ text }) => text)], sheets[paper])
  return createPortal(
    <div
      className={`slip token-slip token-slip-${paper} token-slip-${paper}-${page}`}
      lang={words[0].language}
      aria-hidden="true"
    >
      <p className="token-slip-brand">{office.brand}</p>
      {lines.map(({ kind, language, text, english = [] }) => (
        <p key={`${kind} ${language}`} lang={language} className={`token-slip-${kind}`}>
          {withEnglish(text, english)}
        </p>
      ))}
      {isUnsent(visit.id) ? (
        <div data-slip-code="" />
      ) : (
        <Suspense fallback={null}>
          <SlipCode id={visit.id} language={words[0].language} />
        </Suspense>
      )}
    </div>,
    document.body,
  )
}

type Kind =
  | 'title'
  | 'number'
  | 'also'
  | 'name'
  | 'fact'
  | 'at'
  | 'place'
  | 'range'
  | 'papers'
  | 'corrected'
  | 'foot'
  | 'notice'
/** `english`: the names in the text that are shown in English, because they have no translation. */
type Line = { kind: Kind; language: string; text: string; english?: readonly string[] }

function useLines(visit: Visit, words: readonly [SlipWords, ...SlipWords[]]): Line[] {
  const officeTime = useOfficeTime()
  const texts = useServiceTexts(visit.service.id)
  const nameOf = usePaperNames(visit.service.id)
  const { data: place } = useQuery({
    ...lineQuery,
    select: ({ line }) => line.find(({ visitId }) => visitId === visit.id)?.position,
  })
  const { data: host = location.host } = useQuery({
    ...linkQuery(visit.id),
    enabled: !isUnsent(visit.id),
    select: ({ link }) => new URL(link.url).host,
  })
  const [first] = words
  const { language } = first
  const time = officeTime.inLanguage(language)
  const { from, to } = visit.queue.forecast ?? {}
  const own = (kind: Kind, text: string): Line => ({ kind, language, text })
  const inEach = (kind: Kind, text: (of: SlipWords) => string): Line[] =>
    words.map((of) => ({ kind, language: of.language, text: text(of) })).filter((line) => line.text !== '')
  const missing = visit.documents?.missing ?? []
  const bring = ({ language, bring: text }: SlipWords): Line[] => {
    const names = missing.map((paper) => nameOf(paper, language))
    const english = missing.flatMap(({ key, label }, index) => (key && names[index] === label ? label : []))
    const papers = fitting(names)
    return papers === '' ? [] : [{ kind: 'papers', language, text: fill(text, { papers }), english }]
  }
  return [
    own('title', first.token),
    own('number', visit.token),
    ...(visit.tokenAlso ? [own('also', visit.tokenAlso)] : []),
    own('name', visit.name),
    // Without a translation, the service's English name is shown.
    {
      kind: 'fact',
      language: texts?.[language]?.name ? language : 'en',
      text: serviceNameIn(language, serviceName(visit), texts),
    },
    own('at', fill(first.at, { day: time.day(arrivalOf(visit)), time: time.time(arrivalOf(visit)) })),
    ...(place ? [own('place', fill(first.place, { place }))] : []),
    ...(from && to
      ? [own('range', fill(first.range, { from: time.shortTime(from), to: time.shortTime(to) }))]
      : []),
    ...words.flatMap(bring),
    ...(visit.queue.correctedAt ? [own('corrected', first.corrected)] : []),
    ...(isUnsent(visit.id) ? [own('corrected', first.offline)] : []),
    ...inEach('foot', ({ wait }) => wait),
    own('notice', fill(first.notice, { url: `${host}/q/notice?lang=${language}` })),
  ]
}

/** A sentence in which the given English names are marked as English. The names are in the order of the sentence. */
function withEnglish(text: string, [words, ...others]: readonly string[]): ReactNode {
  const at = words ? text.indexOf(words) : -1
  if (!words || at < 0) return text
  return (
    <>
      {text.slice(0, at)}
      <span lang="en">{words}</span>
      {withEnglish(text.slice(at + words.length), others)}
    </>
  )
}

/** The longest list of papers on a slip, in letters. */
const longestList = 160

/** The names that a slip has room for. */
function fitting(names: readonly string[]): string {
  const shown = names.filter((_, index) => names.slice(0, index + 1).join(', ').length <= longestList)
  return [...shown, ...(shown.length < names.length ? ['...'] : [])].join(', ')
}
