import { Suspense, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { chunk } from '@/chunk'
import type { Document, Service } from '@/api/types'
import type { Language } from '@/locales/languages'
import { fill, plural } from '@/messages'
import { useOfficeTime } from '@/ui/office-time'
import { pageFor, type Sheet } from './paper-size'
import type { ReceiptWords } from './receipt-words'
import './slip.css'
import './receipt-slip.css'

const SlipCode = chunk(async () => (await import('./slip-code')).SlipCode)

export const receiptPapers = ['80', 'a6'] as const
export type ReceiptPaper = (typeof receiptPapers)[number]

/** All pages of A6 have the same size, so a page for more lines has smaller letters. */
const sheets: Record<ReceiptPaper, Sheet> = {
  '80': { letters: 32, lines: [20, 31, 58, 126] },
  a6: { letters: 42, lines: [24, 38] },
}

/** A receipt: papers that were left, or that were given back. */
export type Receipt = {
  kind: 'left' | 'returned'
  /** The numbers of the acknowledgements. */
  numbers: readonly string[]
  at: string
  /** Who received the papers, or gave them back. */
  by: string
  duplicate: boolean
  documents: readonly Document[]
}

type Props = {
  receipt: Receipt
  paper: ReceiptPaper
  brand: string
  visitor: { id: string; token: string; name: string }
  words: readonly ReceiptWords[]
  /** The checklist of the service, for the labels in other languages. */
  papers: Service['documents']
}

/** A receipt on paper in the languages of `words`, with lines for two signatures. Visible on paper only. */
export function ReceiptSlip({ receipt, paper, brand, visitor, words, papers }: Props) {
  const time = useOfficeTime()
  const { kind, numbers, at, by, duplicate, documents } = receipt
  const labelOf = ({ key }: Document, language: Language) =>
    papers.find((one) => one.key === key)?.labels[language]
  const both = (text: (of: ReceiptWords) => ReactNode) =>
    words.map((one) => (
      <span key={one.language} lang={one.language}>
        {text(one)}
      </span>
    ))
  const title = ({ receipt: text }: ReceiptWords) => (kind === 'left' ? text.title : text.returned)
  const listed = (document: Document) => (one: ReceiptWords) => {
    const label = labelOf(document, one.language)
    // Only a checklist's label is English. Staff typed the label of any other paper, in an unknown language.
    const marked = label === undefined && document.key !== null
    return (
      <>
        {marked ? <span lang="en">{document.label}</span> : (label ?? document.label)}
        {factsOf(document, one)}
      </>
    )
  }
  const numbersText = numbers.join(', ')
  const page = pageFor(
    [
      brand,
      numbersText,
      visitor.name,
      ...words.flatMap((of) => [
        title(of),
        ...documents.map((one) => `${labelOf(one, of.language) ?? one.label}${factsOf(one, of)}`),
      ]),
    ],
    sheets[paper],
  )
  return createPortal(
    <div className={`slip receipt-slip receipt-${paper} receipt-${paper}-${page}`} aria-hidden="true">
      <Suspense fallback={null}>
        <SlipCode id={visitor.id} language={words[0]?.language ?? 'en'} />
      </Suspense>
      <p className="receipt-brand">{brand}</p>
      <p className="receipt-title">{both(title)}</p>
      {duplicate ? <p className="receipt-duplicate">{both(({ receipt: text }) => text.duplicate)}</p> : null}
      <p className="receipt-number">{numbersText}</p>
      <p>
        {visitor.token} {visitor.name}
      </p>
      <p>{fill(words[0]?.receipt.at ?? '', { day: time.day(at), time: time.time(at) })}</p>
      <ol>
        {documents.map((document) => (
          <li key={document.no}>{both(listed(document))}</li>
        ))}
      </ol>
      {by ? (
        <p>{both(({ receipt: text }) => fill(kind === 'left' ? text.by : text.returnedBy, { name: by }))}</p>
      ) : null}
      <div className="receipt-signatures">
        <p>{both(({ receipt: text }) => text.office)}</p>
        <p>{both(({ receipt: text }) => text.visitor)}</p>
      </div>
    </div>,
    document.body,
  )
}

/** The form and the pages of a paper in words. The text follows the paper's name. */
function factsOf({ form, pages }: Document, { forms, receipt }: ReceiptWords): string {
  const facts = [
    ...(form ? [forms[form]] : []),
    ...(pages ? [fill(plural(receipt.pages, pages), { count: pages })] : []),
  ]
  return facts.length === 0 ? '' : ` (${facts.join(', ')})`
}
