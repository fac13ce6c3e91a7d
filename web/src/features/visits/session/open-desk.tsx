import { useMutation, useQuery } from '@tanstack/react-query'
import { Button, Form, Input, type InputRef } from 'antd'
import { useRef, useState } from 'react'
import type { Desk } from '@/api/types'
import { changeDesk } from '@/features/visits/data/desk'
import { desksQuery } from '@/features/visits/data/queries'
import { longestCounter } from '@/features/visits/data/rules'
import { Unanswered } from '@/features/visits/parts/unanswered'
import { fill, plural } from '@/messages'
import { messages } from '@/staff-messages'
import { PanelBody } from '@/ui/panel'
import { Kbd, useShortcuts } from '@/ui/shortcuts'
import './open-desk.css'

const text = messages.life.desk

type Props = {
  desk: Desk
  /** How many visitors wait for the consultant, 0 if it is not known. */
  waiting: number
}

/** Whether no visitor can be called to a desk: it is closed, on a break, or has no number and needs one. */
export const isClosed = ({ state, counter, counterRequired }: Desk) =>
  state === 'off' || state === 'break' || (counterRequired === true && !counter)

/** Opens the desk with its number. F2 presses the button, or focuses the field if a number is missing. */
export function OpenDesk({ desk, waiting }: Props) {
  const { mutate, isPending, error } = useMutation(changeDesk)
  const [changed, setChanged] = useState<string>()
  // Until something is typed, the field follows the suggestion, which may change while the card is open.
  const typed = changed ?? desk.counter ?? desk.defaultCounter ?? ''
  const [asked, setAsked] = useState(false)
  const field = useRef<InputRef>(null)
  const counter = typed.trim()
  const missing = desk.counterRequired === true && counter === ''
  const also = useOthersDesk(desk, counter)

  const submit = () => {
    if (isPending) return
    setAsked(missing)
    if (missing) field.current?.focus()
    else mutate({ id: desk.consultantId, change: { ...openAs(desk), ...(counter ? { counter } : {}) } })
  }
  useShortcuts({ F2: submit })

  return (
    <PanelBody>
      <Form layout="vertical" className="open-desk" onFinish={submit}>
        <h3>{text.begin}</h3>
        {waiting > 0 ? <p>{fill(plural(text.waiting, waiting), { count: waiting })}</p> : null}
        <Form.Item
          label={text.counter}
          htmlFor="open-desk-counter"
          extra={also ? fill(text.alsoOf, { counter, name: also }) : undefined}
          {...(asked && missing ? { validateStatus: 'error' as const, help: text.numberRequired } : {})}
        >
          <Input
            id="open-desk-counter"
            ref={field}
            size="large"
            maxLength={longestCounter}
            autoComplete="off"
            value={typed}
            onChange={({ target }) => setChanged(target.value)}
          />
        </Form.Item>
        <Button
          type="primary"
          size="large"
          block
          htmlType="submit"
          disabled={isPending}
          aria-keyshortcuts="F2"
        >
          {buttonOf(desk)} <Kbd>{messages.life.next.key}</Kbd>
        </Button>
        <Unanswered error={error} />
      </Form>
    </PanelBody>
  )
}

/** A desk that takes its last visitors keeps this state and only gets the number. */
const openAs = ({ state }: Desk) => ({ state: state === 'last' ? state : ('open' as const) })

function buttonOf({ state }: Desk): string {
  if (state === 'off') return text.openDesk
  return state === 'break' ? text.endBreak : text.saveNumber
}

/** The name of a colleague whose desk has the same number and is not closed. Equal numbers are allowed. */
function useOthersDesk({ consultantId }: Desk, counter: string): string | undefined {
  const { data: desks = [] } = useQuery(desksQuery)
  const isThere = (one: Desk) =>
    one.consultantId !== consultantId && one.state !== 'off' && one.counter === counter
  return counter === '' ? undefined : desks.find(isThere)?.name
}
