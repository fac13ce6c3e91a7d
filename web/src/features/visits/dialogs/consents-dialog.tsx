import { useMutation, useQuery } from '@tanstack/react-query'
import { Button, Modal, Select } from 'antd'
import { useState } from 'react'
import type { Bodies } from '@/api/types'
import type { Subject } from '@/features/visits/data/actions'
import { changeConsent, consentsQuery, meansOptions, type Means } from '@/features/visits/data/consents'
import { inBackground } from '@/in-background'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { LoadAgain } from '@/ui/load-again'
import { useOfficeTime } from '@/ui/office-time'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { useReturnFocus } from '@/ui/use-return-focus'
import './consents.css'

const text = messages.consents

type Consent = Bodies['Consent']
type Props = { subject: Subject; onClose: () => void }

/** The notice that the visitor was given, and the consents, which can be given and withdrawn here. */
export function ConsentsDialog({ subject, onClose }: Props) {
  const { data, isError, refetch } = useQuery(consentsQuery(subject.id))
  useReturnFocus()
  return (
    <Modal
      open
      title={fill(text.title, { token: subject.token })}
      footer={<Button onClick={onClose}>{text.close}</Button>}
      onCancel={onClose}
    >
      {data ? <Purposes id={subject.id} consents={data} /> : null}
      {!data && isError ? <LoadAgain text={text.loadFailed} onRetry={() => inBackground(refetch())} /> : null}
      {!data && !isError ? <SkeletonRows label={messages.visits.loading} /> : null}
    </Modal>
  )
}

const purposes = ['serve', 'messages', 'later'] as const

function Purposes({ id, consents }: { id: string; consents: readonly Consent[] }) {
  const [means, setMeans] = useState<Means>('aloud')
  const { mutate, isPending } = useMutation(changeConsent)
  return (
    <div className="consents">
      <label className="consents-means">
        <span>{text.toldBy}</span>
        <Select<Means>
          value={means}
          options={meansOptions}
          popupMatchSelectWidth={false}
          onChange={setMeans}
        />
      </label>
      {purposes.map((purpose) => {
        const receipts = consents.filter((one) => one.purpose === purpose)
        const open = receipts.some(({ withdrawnAt }) => withdrawnAt === null)
        const name = text.purposes[purpose]
        return (
          <section key={purpose} aria-label={name}>
            <h3>{name}</h3>
            <Receipts receipts={receipts} />
            {purpose === 'serve' && open ? null : (
              <Button
                disabled={isPending}
                aria-label={fill(open ? text.withdrawOf : text.agreeTo, { purpose: name })}
                onClick={() =>
                  mutate(open ? { id, purpose, given: false } : { id, purpose, means, given: true })
                }
              >
                {open ? text.withdraw : purpose === 'serve' ? name : text.agree}
              </Button>
            )}
          </section>
        )
      })}
    </div>
  )
}

function Receipts({ receipts }: { receipts: readonly Consent[] }) {
  const time = useOfficeTime()
  if (receipts.length === 0) return <p>{text.notYet}</p>
  const at = (timestamp: string) => ({ day: time.day(timestamp), time: time.time(timestamp) })
  return (
    <ul>
      {receipts.map(({ id, means, givenAt, givenBy, withdrawnAt, withdrawnBy }) => (
        <li key={id}>
          {fill(text.given, { means: text.means[means], ...at(givenAt), name: givenBy })}
          {withdrawnAt ? (
            <b>{fill(text.withdrawn, { ...at(withdrawnAt), name: withdrawnBy ?? '' })}</b>
          ) : null}
        </li>
      ))}
    </ul>
  )
}
