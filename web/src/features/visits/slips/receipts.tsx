import { useMutation } from '@tanstack/react-query'
import { Button, Select } from 'antd'
import { useEffect, useRef, useState } from 'react'
import type { Document, Service } from '@/api/types'
import { useIntentionKey } from '@/api/use-intention-key'
import { serverNow } from '@/clock'
import type { Issuer } from '@/features/visits/data/action-context'
import type { Subject } from '@/features/visits/data/actions'
import { acknowledge } from '@/features/visits/data/papers'
import { inBackground } from '@/in-background'
import { isUnsent } from '@/live/offline-mode'
import { messages } from '@/staff-messages'
import { keys, read, write } from '@/storage'
import { Icon } from '@/ui/icon'
import { printSlip } from './print-slip'
import { receiptPapers, ReceiptSlip, type Receipt, type ReceiptPaper } from './receipt-slip'
import { useReceiptWords } from './receipt-words'

const text = messages.papers.receipt

const rememberedPaper = (): ReceiptPaper =>
  receiptPapers.find((paper) => paper === read(keys.receipt)) ?? '80'

type Printed = Receipt & { press: number }

type Props = {
  subject: Subject
  office: Issuer
  /** The checklist of the service. */
  papers: Service['documents']
  /** The papers as stored. */
  documents: readonly Document[]
}

/** Prints the acknowledgement of papers that were left, and the slip for those that were given back. */
export function useReceipts({ subject, office, papers, documents }: Props) {
  const [paper, setPaper] = useState(rememberedPaper)
  const [printed, setPrinted] = useState<Printed>()
  const words = useReceiptWords(subject.visit, office.languages)
  const give = useMutation(acknowledge)
  // With the same key, a retry after a lost response does not count as a second print.
  const { keyFor, done } = useIntentionKey()
  const presses = useRef(0)

  useEffect(() => {
    if (printed) inBackground(printSlip('.receipt-slip'))
  }, [printed])

  const print = (receipt: Receipt) => setPrinted({ ...receipt, press: (presses.current += 1) })
  const left = documents.some(({ state }) => state === 'left')
  const returned = documents.filter(({ state }) => state === 'returned')

  const onGive = () =>
    give.mutate(
      { id: subject.id, key: keyFor({ id: subject.id }) },
      {
        onSuccess: ({ acknowledgement: { no, at, by, documents: listed }, duplicate }) => {
          done()
          print({ kind: 'left', numbers: [no], at, by, duplicate, documents: listed })
        },
      },
    )
  const onReturn = () =>
    print({
      kind: 'returned',
      numbers: [...new Set(returned.flatMap(({ acknowledgement }) => acknowledgement ?? []))],
      // The time at which the last paper was given back, or the present time if older records have none.
      at:
        returned.reduce((last, { at }) => (at && at > last ? at : last), '') ||
        new Date(serverNow()).toISOString(),
      by: [...new Set(returned.map(({ by }) => by))].filter(Boolean).join(', '),
      duplicate: false,
      documents: returned,
    })

  const buttons = (unsaved: boolean) =>
    !isUnsent(subject.id) && (left || returned.length > 0) ? (
      <div className="receipt-buttons">
        {left ? (
          <Button
            icon={<Icon name="printer" size={18} />}
            disabled={unsaved || !words || give.isPending}
            onClick={onGive}
          >
            {text.print}
          </Button>
        ) : null}
        {returned.length > 0 ? (
          <Button icon={<Icon name="printer" size={18} />} disabled={unsaved || !words} onClick={onReturn}>
            {text.printReturn}
          </Button>
        ) : null}
        <Select<ReceiptPaper>
          aria-label={text.size}
          value={paper}
          options={receiptPapers.map((value) => ({ value, label: text.sizes[value] }))}
          onChange={(chosen) => {
            setPaper(chosen)
            write(keys.receipt, chosen)
          }}
        />
        {unsaved ? <small>{text.saveFirst}</small> : null}
      </div>
    ) : null

  return {
    buttons,
    slip:
      printed && words ? (
        <ReceiptSlip
          receipt={printed}
          paper={paper}
          brand={office.brand}
          visitor={subject}
          words={words}
          papers={papers}
        />
      ) : null,
  }
}
