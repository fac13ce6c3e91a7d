import { useMutation } from '@tanstack/react-query'
import { Button, Form, Input } from 'antd'
import { useState } from 'react'
import type { Desk, DeskState } from '@/api/types'
import { serverNow } from '@/clock'
import { changeDesk, type DeskChange } from '@/features/visits/data/desk'
import { laterToday, timeIn } from '@/features/visits/data/later-today'
import type { Pinned } from '@/features/visits/data/left-behind'
import { longestCounter } from '@/features/visits/data/rules'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { ActionDialog } from './action-dialog'
import { PinnedDialog } from './pinned-dialog'
import './desk-switch.css'

const text = messages.life.desk
const states: readonly DeskState[] = ['open', 'break', 'last', 'off']

type Props = {
  desk: Desk
  timeZone: string
  /** The visitors who wait for this consultant alone. */
  pinned: readonly Pinned[]
  /** Whether the user is the consultant of the desk. */
  own: boolean
}

/** Opens and closes a desk. Before a break or the end of the shift, a dialog moves the pinned visitors. */
export function DeskSwitch({ desk, timeZone, pinned, own }: Props) {
  const { mutate, isPending } = useMutation(changeDesk)
  const [asked, setAsked] = useState<'break' | DeskChange>()
  const send = (change: DeskChange) => mutate({ id: desk.consultantId, change })
  const leave = (change: DeskChange) => {
    if (pinned.length === 0) {
      setAsked(undefined)
      send(change)
    } else setAsked(change)
  }
  const choose = (state: DeskState) => {
    if (state === 'break') setAsked('break')
    else if (state === 'off') leave({ state })
    else send({ state })
  }
  return (
    <div className="desk-switch">
      <div className="desk-states" role="group" aria-label={text.state}>
        {states.map((state) => (
          <Button
            key={state}
            size="small"
            className={state === desk.state ? 'desk-state desk-state-on' : 'desk-state'}
            aria-pressed={state === desk.state}
            disabled={isPending}
            onClick={() => choose(state)}
          >
            {text.states[state]}
          </Button>
        ))}
      </div>
      <Counter key={desk.counter} desk={desk} onChange={(counter) => send({ state: desk.state, counter })} />
      {asked === 'break' ? (
        <BreakDialog timeZone={timeZone} onBreak={leave} onClose={() => setAsked(undefined)} />
      ) : null}
      {asked && asked !== 'break' ? (
        <PinnedDialog
          desk={desk}
          pinned={pinned}
          own={own}
          onDone={() => send(asked)}
          onClose={() => setAsked(undefined)}
        />
      ) : null}
    </div>
  )
}

/** The number of the desk, to which visitors are called. Enter sends it, as does leaving the field. */
function Counter({ desk, onChange }: { desk: Desk; onChange: (counter: string) => void }) {
  const [typed, setTyped] = useState(desk.counter ?? '')
  const id = `counter-${desk.consultantId}`
  const send = () => {
    const counter = typed.trim()
    if (counter !== '' && counter !== desk.counter) onChange(counter)
  }
  return (
    <span className="desk-counter">
      <label htmlFor={id}>{text.counter}</label>
      <Input
        id={id}
        size="small"
        maxLength={longestCounter}
        autoComplete="off"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={send}
        onPressEnter={send}
      />
    </span>
  )
}

type BreakProps = { timeZone: string; onBreak: (change: DeskChange) => void; onClose: () => void }

function BreakDialog({ timeZone, onBreak, onClose }: BreakProps) {
  const [form] = Form.useForm<{ backAt: string }>()
  const momentOf = (time: string) => laterToday(time, serverNow(), timeZone)
  return (
    <ActionDialog<{ backAt: string }>
      name="break"
      title={text.breakTitle}
      submit={text.startBreak}
      form={form}
      values={{ backAt: timeIn(30, serverNow(), timeZone) }}
      pending={false}
      onSubmit={({ backAt: time }) => {
        const backAt = momentOf(time)
        onBreak({ state: 'break', ...(backAt ? { backAt } : {}) })
      }}
      onClose={onClose}
    >
      <Form.Item
        name="backAt"
        label={text.breakTime}
        rules={[
          {
            validator: (_rule, time: string) =>
              momentOf(time) ? Promise.resolve() : Promise.reject(new Error(text.breakRequired)),
          },
        ]}
      >
        <Input type="time" autoFocus />
      </Form.Item>
    </ActionDialog>
  )
}

export const deskTitle = ({ name }: Desk) => fill(text.of, { name })
