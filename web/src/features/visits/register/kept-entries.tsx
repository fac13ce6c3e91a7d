import { Button, Form, type FormInstance } from 'antd'
import { useEffect, useEffectEvent, useRef, useState, type MouseEvent } from 'react'
import type { NewVisit, Visit } from '@/api/types'
import type { ServiceChoice } from '@/features/visits/data/action-context'
import { askBeforeLeaving } from '@/leaving'
import { isOwnReload } from '@/load-anew'
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
  /** Moves an entry into the form; undefined while the form shows an appointment request. */
  onCorrect: ((entry: Kept) => void) | undefined
  onPrint: (visit: Pick<Visit, 'id'>) => void
}

/** The entries without a response, with the result of those that were sent again. */
export function KeptEntries({ entries, services, form, onCorrect, onPrint }: Props) {
  const typed = [Form.useWatch('name', form), Form.useWatch('phone', form)] as (string | undefined)[]
  // An entry does not replace the visitor who is being typed.
  const correct = typed.some((value) => value?.trim()) ? undefined : onCorrect
  const unsent = entries.filter((entry) => !entry.sent)
  /** Removes an entry. Its button disappears as well, so the focus moves to another entry, or to the form. */
  const remove = ({ key }: Kept, button: HTMLElement) => {
    const row = button.closest('li')
    const other = row?.nextElementSibling ?? row?.previousElementSibling
    const next = other?.querySelector<HTMLElement>('button:last-child')
    if (next) next.focus()
    else form.focusField('name')
    forgetKept(key)
  }
  return (
    <section className="kept-entries" aria-label={text.label}>
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
            onRemove={remove}
          />
        ))}
      </ul>
      <AskToLeave count={unsent.length} />
    </section>
  )
}

type EntryProps = Pick<Props, 'onPrint'> & {
  entry: Kept
  service: string
  onCorrect: (() => void) | undefined
  onRemove: (entry: Kept, button: HTMLElement) => void
}

function Entry({ entry, service, onCorrect, onPrint, onRemove }: EntryProps) {
  const time = useOfficeTime()
  const { at, refused, sent } = entry
  const remove = ({ currentTarget }: MouseEvent<HTMLElement>) => onRemove(entry, currentTarget)
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
        <Button size="small" aria-label={fill(text.putAwayOf, { name })} onClick={remove}>
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
      <Button size="small" aria-label={fill(text.discardOf, { name })} onClick={remove}>
        {text.discard}
      </Button>
    </li>
  )
}

/** Asks for confirmation before the tab is closed and before a sign-out, because both delete the entries. */
function AskToLeave({ count }: { count: number }) {
  const hasUnsent = count > 0
  const [isAsking, setAsking] = useState(false)
  if (isAsking && !hasUnsent) setAsking(false)
  const waiting = useRef<(leaves: boolean) => void>(undefined)
  const answer = (leaves: boolean) => {
    waiting.current?.(leaves)
    waiting.current = undefined
  }
  useEffect(() => {
    if (!hasUnsent) return undefined
    const stay = (event: Event) => {
      if (!isOwnReload()) event.preventDefault()
    }
    const ask = (answered: (leaves: boolean) => void) => {
      waiting.current?.(false)
      waiting.current = answered
      setAsking(true)
    }
    addEventListener('beforeunload', stay)
    const stop = askBeforeLeaving(() => new Promise(ask))
    return () => {
      removeEventListener('beforeunload', stay)
      stop()
    }
  }, [hasUnsent])
  const answerNow = useEffectEvent(answer)
  useEffect(() => {
    // Once all entries have been sent, nothing would be lost, so a waiting sign-out continues.
    if (!hasUnsent) answerNow(true)
  }, [hasUnsent])
  useEffect(() => () => answerNow(false), [])
  if (!isAsking) return null
  const close = (leaves: boolean) => {
    answer(leaves)
    setAsking(false)
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
