import { Button, Form, type FormInstance } from 'antd'
import { useEffect, useState } from 'react'
import type { NewVisit, Visit } from '@/api/types'
import type { ServiceChoice } from '@/features/visits/data/action-context'
import { askBeforeLeaving } from '@/leaving'
import { fill, plural } from '@/messages'
import { messages } from '@/staff-messages'
import { ConfirmDialog } from '@/ui/form-dialog'
import { Icon } from '@/ui/icon'
import { useOfficeTime } from '@/ui/office-time'
import { forgetKept, isFull, isTooOld, isWaiting, type Kept } from './kept'
import './kept-entries.css'

const text = messages.visits.kept

type Props = {
  /** Oldest first. */
  entries: readonly Kept[]
  services: readonly ServiceChoice[]
  form: FormInstance<NewVisit>
  /** Moves an entry into the form; undefined while that is the form of an appointment request. */
  onCorrect: ((entry: Kept) => void) | undefined
  onPrint: (visit: Pick<Visit, 'id'>) => void
}

/** The entries without a response, and what became of them. */
export function KeptEntries({ entries, services, form, onCorrect, onPrint }: Props) {
  const typed = [Form.useWatch('name', form), Form.useWatch('phone', form)] as (string | undefined)[]
  // An entry does not replace the visitor who is being typed.
  const correct = typed.some((value) => value?.trim()) ? undefined : onCorrect
  const unsent = entries.filter((entry) => !entry.sent)
  return (
    <section className="kept-entries" aria-label={text.title}>
      {entries.some(isWaiting) ? (
        <p>
          <Icon name="wifiOff" size={18} /> {text.title}
        </p>
      ) : null}
      {isFull(entries) ? <p>{text.full}</p> : null}
      <ul aria-live="polite">
        {entries.map((entry) => (
          <Entry
            key={entry.key}
            entry={entry}
            service={services.find(({ id }) => id === entry.visit.serviceId)?.name ?? ''}
            onCorrect={correct && (() => correct(entry))}
            onPrint={onPrint}
          />
        ))}
      </ul>
      {unsent.length > 0 ? <AskToLeave count={unsent.length} /> : null}
    </section>
  )
}

type EntryProps = Pick<Props, 'onPrint'> & {
  entry: Kept
  service: string
  onCorrect: (() => void) | undefined
}

function Entry({ entry, service, onCorrect, onPrint }: EntryProps) {
  const time = useOfficeTime()
  const { key, at, refused, sent } = entry
  const { name } = entry.visit
  const reason = refused ?? (isTooOld(entry) ? text.tooOld : undefined)
  if (sent)
    return (
      <li>
        <span>
          <b>{sent.token}</b> {name}
        </span>
        <Button
          size="small"
          aria-label={fill(text.printOf, { token: sent.token })}
          onClick={() => onPrint(sent)}
        >
          {text.print}
        </Button>
        <Button size="small" aria-label={fill(text.putAwayOf, { name })} onClick={() => forgetKept(key)}>
          {messages.desk.putAway}
        </Button>
      </li>
    )
  return (
    <li>
      <span>
        {time.time(at)} <b>{name}</b> {service}
        {reason ? <small>{reason}</small> : null}
      </span>
      {reason ? (
        <Button
          size="small"
          disabled={!onCorrect}
          title={onCorrect ? undefined : text.correctLater}
          aria-label={fill(text.correctOf, { name })}
          onClick={() => onCorrect?.()}
        >
          {text.correct}
        </Button>
      ) : null}
      <Button size="small" aria-label={fill(text.discardOf, { name })} onClick={() => forgetKept(key)}>
        {text.discard}
      </Button>
    </li>
  )
}

/** Closing the tab and signing out delete the entries, so both ask. */
function AskToLeave({ count }: { count: number }) {
  const [answer, setAnswer] = useState<(leaves: boolean) => void>()
  useEffect(() => {
    const stay = (event: Event) => event.preventDefault()
    addEventListener('beforeunload', stay)
    const stop = askBeforeLeaving(() => new Promise((answered) => setAnswer(() => answered)))
    return () => {
      removeEventListener('beforeunload', stay)
      stop()
    }
  }, [])
  if (!answer) return null
  const close = (leaves: boolean) => {
    answer(leaves)
    setAnswer(undefined)
  }
  return (
    <ConfirmDialog
      title={fill(plural(text.leave, count), { count })}
      text={text.leaveText}
      submit={messages.auth.signOut}
      back={text.stay}
      onConfirm={() => close(true)}
      onClose={() => close(false)}
    />
  )
}
