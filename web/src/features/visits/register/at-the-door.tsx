import { useMutation, useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useRef } from 'react'
import type { Arrival, Return, Visit } from '@/api/types'
import { useAct } from '@/features/visits/data/act'
import { answerArrival } from '@/features/visits/data/answer-arrival'
import { arrivalsQuery } from '@/features/visits/data/arrivals'
import { languages } from '@/locales/languages'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { useOfficeTime } from '@/ui/office-time'
import { useShortcuts } from '@/ui/shortcuts'
import './at-the-door.css'

const text = messages.arrivals

type Props = {
  /** Today's visits, which include the visitors who say that they are back. */
  today: readonly Visit[] | undefined
  onAccepted: (visit: Visit) => void
}

/**
 * The visitors who have requested a token by phone, and those who say that they are back after a missed call. It is
 * below the form.
 */
export function AtTheDoor({ today, onAccepted }: Props) {
  const { data } = useQuery(arrivalsQuery)
  const block = useRef<HTMLElement>(null)
  useShortcuts({ 'Shift+F2': () => block.current?.querySelector('button')?.focus() })
  const returns = (data?.returns ?? []).flatMap((one) => {
    const visit = today?.find(({ id }) => id === one.visitId)
    return visit?.queue.stage === 'missed' ? [{ ...one, visit }] : []
  })
  const arrivals = data?.arrivals ?? []
  const none = arrivals.length + returns.length === 0
  return (
    <section
      ref={block}
      className={none ? undefined : 'panel at-the-door'}
      aria-label={text.title}
      hidden={none}
    >
      <h2>{text.title}</h2>
      <ul aria-label={text.list} aria-live="polite">
        {returns.map((one) => (
          <Back key={one.visitId} {...one} />
        ))}
        {arrivals.map((arrival) => (
          <AtDoor key={arrival.id} arrival={arrival} onAccepted={onAccepted} />
        ))}
      </ul>
    </section>
  )
}

function AtDoor({ arrival, onAccepted }: { arrival: Arrival; onAccepted: (visit: Visit) => void }) {
  const time = useOfficeTime()
  const answer = useMutation(answerArrival)
  const { name, phone, service, language, createdAt } = arrival
  const accept = () =>
    answer.mutate({ arrival, state: 'accepted' }, { onSuccess: (visit) => visit && onAccepted(visit) })
  return (
    <li>
      <span className="at-the-door-who">
        <b>{name}</b>
        <span>
          {time.time(createdAt)}, {service.name}
        </span>
        <span>
          {phone}, <span lang={language}>{languages[language].name}</span>
          {arrival.messages ? `, ${text.messages}` : null}
        </span>
      </span>
      <Button
        type="primary"
        loading={answer.isPending}
        aria-label={fill(text.acceptOf, { name })}
        onClick={accept}
      >
        {text.accept}
      </Button>
      <Button
        disabled={answer.isPending}
        aria-label={fill(text.refuseOf, { name })}
        onClick={() => answer.mutate({ arrival, state: 'refused' })}
      >
        {text.refuse}
      </Button>
    </li>
  )
}

function Back({ token, visit }: Return & { visit: Visit }) {
  const { act, pending } = useAct()
  return (
    <li>
      <b className="at-the-door-who">{fill(text.back, { token })}</b>
      <Button
        type="primary"
        loading={pending}
        aria-label={fill(text.backOf, { token })}
        onClick={() => act(visit, { action: 'back' })}
      >
        {text.backIn}
      </Button>
    </li>
  )
}
