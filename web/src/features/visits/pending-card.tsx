import { useMutation } from '@tanstack/react-query'
import { Button, Input, Select } from 'antd'
import { useState } from 'react'
import type { Visit } from '@/api/types'
import { fill, messages } from '@/messages'
import { Icon } from '@/ui/icon'
import { minutesBetween } from '@/ui/office-time'
import { PhoneNumber } from '@/ui/phone-number'
import { StatusTag } from '@/ui/status-tag'
import { Token } from '@/ui/token'
import { decideVisit, type Decision } from './mutations'
import { longestNotes } from './rules'
import { serviceName } from './visit'
import './pending-card.css'

export type ConsultantChoice = { id: string; name: string; currentQueue: number }

type Props = {
  visit: Visit
  now: number
  consultants: readonly ConsultantChoice[]
  paId: string
  onDecided: (visit: Visit) => void
}

const text = messages.visits.pending

/** One visitor who waits, and the decision about them. */
export function PendingCard({ visit, now, consultants, paId, onDecided }: Props) {
  const [chosen, setChosen] = useState<string>()
  const [notes, setNotes] = useState('')
  const decision = useMutation(decideVisit)
  const busy = decision.isPending ? decision.variables.status : undefined
  // A consultant who became busy meanwhile is no longer offered, so no longer chosen.
  const consultantId = consultants.some(({ id }) => id === chosen) ? chosen : undefined

  const decide = (variables: Decision) => decision.mutate(variables, { onSuccess: () => onDecided(visit) })

  return (
    <article className="pending-card" data-visit={visit.id} aria-label={`${visit.token} ${visit.name}`}>
      <div className="pending-token">
        <Token token={visit.token} />
        <small>
          <span>
            <b>{minutesBetween(visit.createdAt, now)}</b> {messages.visits.minutesWord}
          </span>
          {text.waiting}
        </small>
      </div>
      <div className="pending-visitor">
        <h3>
          {visit.name} <StatusTag status="new" />
        </h3>
        <p className="pending-service">{serviceName(visit)}</p>
        <p>
          <PhoneNumber phone={visit.phone} />
        </p>
        {visit.notes ? <p className="pending-notes">{visit.notes}</p> : null}
      </div>
      <div className="pending-decision">
        <Select
          className="pending-wide"
          aria-label={fill(text.consultantFor, { token: visit.token })}
          placeholder={text.chooseConsultant}
          notFoundContent={text.noneFree}
          options={consultants.map(({ id, name, currentQueue }) => ({
            value: id,
            label: fill(text.consultantOption, { name, queue: currentQueue }),
          }))}
          value={consultantId}
          onChange={setChosen}
        />
        <Input.TextArea
          className="pending-wide pending-growing"
          aria-label={fill(text.notesFor, { token: visit.token })}
          placeholder={text.notes}
          rows={1}
          maxLength={longestNotes}
          value={notes}
          onChange={(event) => setNotes(event.target.value)}
        />
        <Button
          type="primary"
          icon={<Icon name="check" size={18} />}
          disabled={consultantId === undefined || busy !== undefined}
          onClick={() => consultantId && decide({ status: 'approved', visit, notes, consultantId, paId })}
        >
          {busy === 'approved' ? text.approving : text.approve}
        </Button>
        <Button
          danger
          icon={<Icon name="x" size={18} />}
          disabled={busy !== undefined}
          onClick={() => decide({ status: 'denied', visit, notes })}
        >
          {busy === 'denied' ? text.denying : text.deny}
        </Button>
      </div>
    </article>
  )
}
