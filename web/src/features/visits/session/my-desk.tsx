import { useMutation } from '@tanstack/react-query'
import { Button } from 'antd'
import type { Desk, Place, Visit } from '@/api/types'
import { useIntentionKey } from '@/api/use-intention-key'
import { callNext } from '@/features/visits/data/act'
import { reasonsOf } from '@/features/visits/data/reason-words'
import { VisitService } from '@/features/visits/parts/visit-service'
import { fill, plural } from '@/messages'
import { messages } from '@/staff-messages'
import { Icon } from '@/ui/icon'
import { useOfficeTime } from '@/ui/office-time'
import { Panel } from '@/ui/panel'
import { Kbd } from '@/ui/shortcuts'
import { Token } from '@/ui/token'
import { ClassMark } from '@/features/visits/parts/class-mark'
import { DeskSwitch } from '@/features/visits/parts/desk-switch'
import './my-desk.css'

const text = messages.life.next

type Props = {
  desk: Desk
  /** The consultant's line in its order. */
  line: readonly Place[]
  session: Visit | undefined
  called: Visit | undefined
  /** The visitors who wait for this consultant alone. */
  pinned: readonly Visit[]
  timeZone: string
  next: ReturnType<typeof useNext>
  /** Another button is the filled one. */
  quiet: boolean
}

/** Calls the next visitor. A retry after a lost response has the same idempotency key. */
export function useNext() {
  const { mutate, isPending } = useMutation(callNext)
  const { keyFor, done } = useIntentionKey()
  return {
    pending: isPending,
    call: () => {
      if (!isPending) mutate({ key: keyFor({}) }, { onSuccess: done })
    },
  }
}

/** The consultant's desk: its state, and the button that calls the next visitor. */
export function MyDesk({ desk, line, session, called, pinned, timeZone, next, quiet }: Props) {
  const waiting = callableLine(desk, line)
  const first = waiting[0]
  const ready = isReady(desk, first, session, called)
  return (
    <Panel title={messages.life.desk.title} className="my-desk">
      <div className="my-desk-state">
        <DeskSwitch desk={desk} timeZone={timeZone} pinned={pinned} own />
      </div>
      <div className="next-card">
        {first ? <Preview place={first} waiting={waiting.length} /> : null}
        <p className="next-hint small-text" role="status">
          {hintOf(desk, first, session, called)}
        </p>
        <Button
          type={quiet ? 'default' : 'primary'}
          size="large"
          block
          icon={<Icon name="bell" size={19} />}
          disabled={!ready || next.pending}
          aria-keyshortcuts="F2"
          onClick={next.call}
        >
          {next.pending ? text.calling : text.button} <Kbd>{text.key}</Kbd>
        </Button>
      </div>
    </Panel>
  )
}

/** The places from which Next calls: a desk that takes its last visitors calls only the pinned ones. */
const callableLine = ({ state, consultantId }: Desk, line: readonly Place[]) =>
  state === 'last' ? line.filter(({ pinnedTo }) => pinnedTo?.id === consultantId) : line

const isReady = (
  desk: Desk | undefined,
  first: Place | undefined,
  session: Visit | undefined,
  called: Visit | undefined,
) => desk !== undefined && desk.state !== 'break' && first !== undefined && !session && !called

/** Whether Next can be pressed. */
export const canCallNext = ({
  desk,
  line,
  session,
  called,
}: {
  desk: Desk | undefined
  line: readonly Place[]
  session: Visit | undefined
  called: Visit | undefined
}) => isReady(desk, desk && callableLine(desk, line)[0], session, called)

function hintOf(
  { state }: Desk,
  first: Place | undefined,
  session: Visit | undefined,
  called: Visit | undefined,
): string | null {
  if (session) return text.inSession
  if (called) return fill(text.calledFirst, { token: called.token })
  if (state === 'break') return text.onBreak
  if (!first) return text.empty
  if (state === 'last') return text.last
  return state === 'off' ? text.closed : null
}

/** The first visitor of the line, without name and phone before the call. */
function Preview({ place, waiting }: { place: Place; waiting: number }) {
  const time = useOfficeTime()
  return (
    <div className="next-preview small-lines">
      <Token token={place.token} also={place.tokenAlso} />
      <div>
        <b>
          <VisitService of={place} /> <ClassMark of={place.class} />
        </b>
        <small>{reasonsOf(place, time.time)}</small>
      </div>
      <span className="next-waiting small-text">
        {fill(plural(text.waiting, waiting), { count: waiting })}
      </span>
    </div>
  )
}
