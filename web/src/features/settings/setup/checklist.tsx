import { useMutation } from '@tanstack/react-query'
import { Button } from 'antd'
import { Link } from 'react-router'
import { fill } from '@/messages'
import { messages } from '@/settings-messages'
import { Icon } from '@/ui/icon'
import { useOfficeTime } from '@/ui/office-time'
import { Panel } from '@/ui/panel'
import { isTicked, type Item, type Step } from './items'
import { dismissSetup, tickStep } from './mutations'
import './checklist.css'

const text = messages.setup

type Props = {
  items: readonly Item[]
  /** Where a step is done; undefined for one that is done outside of the product. */
  addressOf: (step: Step) => string | undefined
}

/** The checklist of the first day: what a new office needs, and what of it is done. */
export function SetupChecklist({ items, addressOf }: Props) {
  const dismiss = useMutation(dismissSetup)
  const done = items.filter((item) => item.done).length
  return (
    <Panel
      title={text.title}
      count={fill(text.progress, { count: done, all: items.length })}
      className="setup"
      extra={
        <Button disabled={dismiss.isPending} onClick={() => dismiss.mutate(true)}>
          {text.dismiss}
        </Button>
      }
    >
      <ol>
        {items.map((item) => (
          <SetupItem key={item.key} item={item} address={addressOf(item.key)} />
        ))}
      </ol>
    </Panel>
  )
}

function SetupItem({ item: { key, done, at, by }, address }: { item: Item; address: string | undefined }) {
  const time = useOfficeTime()
  const tick = useMutation(tickStep)
  const state = done ? (by && at ? fill(text.doneBy, { name: by, day: time.day(at) }) : text.done) : text.open
  return (
    <li>
      <i aria-hidden="true">{done ? <Icon name="check" size={22} /> : null}</i>
      <span>
        {address ? <Link to={address}>{text[key]}</Link> : <b>{text[key]}</b>}
        <small>{state}</small>
      </span>
      {done || !isTicked(key) ? null : (
        <Button
          size="small"
          disabled={tick.isPending}
          aria-label={fill(text.rightOf, { item: text[key] })}
          onClick={() => tick.mutate(key)}
        >
          {text.right}
        </Button>
      )}
    </li>
  )
}

/** Shows the checklist again after it was hidden. */
export function ShowChecklist() {
  const dismiss = useMutation(dismissSetup)
  return (
    <Button disabled={dismiss.isPending} onClick={() => dismiss.mutate(false)}>
      {text.show}
    </Button>
  )
}
