import { useMutation, useQuery } from '@tanstack/react-query'
import { Button, Input, type InputRef } from 'antd'
import { useRef, useState } from 'react'
import { inBackground } from '@/in-background'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { LoadAgain } from '@/ui/load-again'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { longestCounter, type Consultant } from './models'
import { saveCounter } from './mutations'
import { consultantsQuery } from './queries'

const text = messages.directory

/** The numbers of the consultants' desks, each with its own button that saves it. */
export function DeskNumbers() {
  const { data, isError, refetch } = useQuery(consultantsQuery)
  if (!data)
    return isError ? (
      <LoadAgain text={text.consultantsFailed} onRetry={() => inBackground(refetch())} />
    ) : (
      <SkeletonRows label={text.loadingConsultants} />
    )
  const active = data.filter(({ isActive }) => isActive)
  if (active.length === 0) return <p>{text.consultantsEmpty}</p>
  return (
    <ul className="setting-list">
      {active.map((consultant) => (
        <DeskNumber key={consultant.id} consultant={consultant} />
      ))}
    </ul>
  )
}

function DeskNumber({ consultant }: { consultant: Consultant }) {
  const { id, name } = consultant
  const [counter, setCounter] = useState(consultant.counter)
  const [known, setKnown] = useState(consultant.counter)
  // A number that was saved elsewhere replaces what the field shows.
  if (known !== consultant.counter) {
    setKnown(consultant.counter)
    setCounter(consultant.counter)
  }
  const input = useRef<InputRef>(null)
  const save = useMutation(saveCounter)
  const canSave = !save.isPending && counter.trim() !== consultant.counter
  const send = () => save.mutate({ staff: { id, name }, counter: counter.trim() })
  const field = `desk-number-${id}`
  return (
    <li className="setting-line">
      <label htmlFor={field}>{name}</label>
      <Input
        ref={input}
        id={field}
        maxLength={longestCounter}
        autoComplete="off"
        value={counter}
        onChange={({ target }) => setCounter(target.value)}
        onPressEnter={(event) => {
          // Enter would also save the section around the field.
          event.preventDefault()
          if (canSave) send()
        }}
      />
      <Button
        disabled={!canSave}
        aria-label={`${text.staff.save}: ${fill(text.staff.deskNumberOf, { name })}`}
        onClick={() => {
          // The button is disabled until the next change.
          input.current?.focus()
          send()
        }}
      >
        {text.staff.save}
      </Button>
    </li>
  )
}
