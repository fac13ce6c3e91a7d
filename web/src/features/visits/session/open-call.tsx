import { Button } from 'antd'
import { useEffect, useRef } from 'react'
import { serverNow } from '@/clock'
import type { Visit } from '@/api/types'
import type { ActionName } from '@/features/visits/data/actions'
import { callWaits, useCallWaits } from '@/features/visits/parts/call-waits'
import { EarlierDay } from '@/features/visits/parts/earlier-day'
import { MissingPapers } from '@/features/visits/parts/missing-papers'
import { NotesSoFar } from '@/features/visits/parts/notes-so-far'
import { Unanswered } from '@/features/visits/parts/unanswered'
import { VisitService } from '@/features/visits/parts/visit-service'
import { fill, plural } from '@/messages'
import { messages } from '@/staff-messages'
import { ActionMenu } from '@/ui/action-menu'
import { Filled } from '@/ui/filled'
import { Icon } from '@/ui/icon'
import { minutesAndSeconds, RunningTime, useOfficeTime } from '@/ui/office-time'
import { PanelBody } from '@/ui/panel'
import { PhoneNumber } from '@/ui/phone-number'
import { Kbd, useShortcuts } from '@/ui/shortcuts'
import { Ticket } from '@/ui/ticket'
import './open-call.css'

const text = messages.life

export type OfCall = Extract<ActionName, 'recall' | 'miss' | 'release' | 'hold' | 'transfer' | 'papers'>

type Props = {
  called: Visit
  busy: boolean
  isStarting: boolean
  /** The failure of the last start. */
  error: Error | null
  onStart: () => void
  onAct: (action: OfCall) => void
}

/** The visitor whom the consultant has called, until the session starts or the call ends. */
export function OpenCall({ called, busy, isStarting, error, onStart, onAct }: Props) {
  useShortcuts({ F2: onStart, ...keysOf(called, onAct) })
  const filled = useFocusOnce(busy)
  return (
    <PanelBody>
      <Ticket token={called.token} also={called.tokenAlso} aside={<Calls visit={called} />}>
        <h3>{called.name}</h3>
        <p>
          <VisitService of={called} />
        </p>
        <p>
          <PhoneNumber phone={called.phone} />
        </p>
        <EarlierDay day={called.day} />
      </Ticket>
      <MissingPapers of={called} />
      <div className="call-actions">
        <Button
          type="primary"
          size="large"
          block
          ref={filled}
          icon={<Icon name="play" size={18} />}
          disabled={busy}
          aria-keyshortcuts="F2"
          onClick={onStart}
        >
          {isStarting ? messages.visits.mine.starting : messages.visits.mine.start} <Kbd>{text.next.key}</Kbd>
        </Button>
        <TimedActions called={called} busy={busy} onAct={onAct} />
        <Button disabled={busy} aria-keyshortcuts="Control+F8" onClick={() => onAct('release')}>
          {text.actions.release}
        </Button>
        <More busy={busy} onAct={onAct} />
      </div>
      <Unanswered error={error} />
      <NotesSoFar {...called} />
    </PanelBody>
  )
}

/** Focuses a button once, when it is first enabled: the called visitor may be shown before the response enables it. */
function useFocusOnce(disabled: boolean) {
  const button = useRef<HTMLButtonElement>(null)
  const isDone = useRef(false)
  useEffect(() => {
    if (disabled || isDone.current) return
    isDone.current = true
    button.current?.focus()
  }, [disabled])
  return button
}

/** The keys of the buttons. The key of a button whose time has not come does nothing. */
const keysOf = (called: Visit, onAct: Props['onAct']) => ({
  F8: () => {
    if (callWaits(called, serverNow()).recall === 0) onAct('recall')
  },
  'Shift+F8': () => {
    if (callWaits(called, serverNow()).miss === 0) onAct('miss')
  },
  'Ctrl+F8': () => onAct('release'),
})

/**
 * The buttons that are enabled some time after the call, each with the time until then. After a call that the
 * service has repeated, the button Not here is outlined.
 */
function TimedActions({ called, busy, onAct }: Pick<Props, 'called' | 'busy' | 'onAct'>) {
  const waits = useCallWaits(called)
  return timed.map(({ action, keys, soon }) => {
    const seconds = waits[action]
    return (
      <Button
        key={action}
        className={
          action === 'miss' && called.queue.call?.bySystem ? 'call-timed call-repeated' : 'call-timed'
        }
        disabled={busy || seconds > 0}
        aria-keyshortcuts={keys}
        onClick={() => onAct(action)}
      >
        {seconds > 0 ? fill(soon, { time: minutesAndSeconds(seconds) }) : text.actions[action]}
      </Button>
    )
  })
}

const timed = [
  { action: 'recall', keys: 'F8', soon: text.called.recallIn },
  { action: 'miss', keys: 'Shift+F8', soon: text.called.missIn },
] as const

const more = ['hold', 'transfer', 'papers'] as const

function More({ busy, onAct }: Pick<Props, 'busy' | 'onAct'>) {
  return (
    <ActionMenu
      menu={{
        items: more.map((action) => ({ key: action, label: text.actions[action] })),
        onClick: ({ key }) => more.filter((action) => action === key).forEach(onAct),
      }}
    >
      <Button disabled={busy} aria-haspopup="menu">
        {text.called.more} <Icon name="down" size={16} />
      </Button>
    </ActionMenu>
  )
}

/** How long ago the visitor was called, and from the second call on how often. */
function Calls({ visit: { queue } }: { visit: Visit }) {
  const office = useOfficeTime()
  const { calledAt, callCount: count, counter, call } = queue
  if (!calledAt) return null
  const time = <RunningTime since={calledAt} />
  return (
    <span className="calls-so-far">
      <span>
        {counter ? (
          <Filled message={plural(text.called.callsTo, count)} values={{ count, time, counter }} />
        ) : (
          <Filled message={plural(text.called.calls, count)} values={{ count, time }} />
        )}
      </span>
      {call?.bySystem ? <small>{fill(text.called.bySystem, { time: office.time(calledAt) })}</small> : null}
    </span>
  )
}
