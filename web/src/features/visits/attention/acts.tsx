import { useMutation } from '@tanstack/react-query'
import { Button } from 'antd'
import type { Arrival, Visit } from '@/api/types'
import { messages as attention } from '@/attention-messages'
import { useAct } from '@/features/visits/data/act'
import { useCallWaits } from '@/features/visits/parts/call-waits'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import { minutesAndSeconds } from '@/ui/office-time'
import { answerArrival } from './answer-arrival'
import { subjectOfNeed, type Listed, type Need } from './needs'

const text = attention.attention
const { actions, called } = messages.life

/** The actions that the screen itself performs, in a dialog or elsewhere on the page. */
export type ScreenAct = 'number' | 'papers' | 'show' | 'call'

type Props = {
  of: Need
  /** Whether only the first button is shown. */
  first?: boolean
  onAct: (act: ScreenAct, need: Listed) => void
}

export function Acts({ of: need, first = false, onAct }: Props) {
  switch (need.kind) {
    case 'arrival':
      return <DoorActs arrival={need.arrival} first={first} />
    case 'return':
      return <BackAct token={need.token} visit={need.visit} />
    default:
      return <ListedActs need={need} first={first} onAct={onAct} />
  }
}

function DoorActs({ arrival, first }: { arrival: Arrival; first: boolean }) {
  const answer = useMutation(answerArrival)
  const { name } = arrival
  const { accept, acceptOf, refuse, refuseOf } = attention.arrivals
  return (
    <>
      <Button
        size="small"
        type="primary"
        loading={answer.isPending}
        aria-label={fill(acceptOf, { name })}
        onClick={() => answer.mutate({ arrival, state: 'accepted' })}
      >
        {accept}
      </Button>
      {first ? null : (
        <Button
          size="small"
          disabled={answer.isPending}
          aria-label={fill(refuseOf, { name })}
          onClick={() => answer.mutate({ arrival, state: 'refused' })}
        >
          {refuse}
        </Button>
      )}
    </>
  )
}

function BackAct({ token, visit }: { token: string; visit: Visit }) {
  const { act, pending } = useAct()
  return (
    <Button
      size="small"
      type="primary"
      loading={pending}
      aria-label={fill(attention.arrivals.backOf, { token })}
      onClick={() => act(visit, { action: 'back' })}
    >
      {attention.arrivals.backIn}
    </Button>
  )
}

type Action = Listed['actions'][number]

const labels: Record<Action, string> = {
  recall: actions.recall,
  miss: actions.miss,
  number: text.number,
  papers: actions.papers,
  show: text.show,
  call: actions.callFor,
  line: text.toTheLine,
}

/**
 * An unanswered call always has both buttons, which count down: a button that appeared later could come under the
 * pointer. Actions of later releases are left out.
 */
const actionsOf = ({ kind, actions: allowed }: Listed): readonly Action[] =>
  kind === 'call_unanswered' ? ['recall', 'miss'] : allowed.filter((one) => Object.hasOwn(labels, one))

function ListedActs({ need, first, onAct }: { need: Listed; first: boolean; onAct: Props['onAct'] }) {
  const { act, pending } = useAct()
  const waits = useCallWaits(need.known)
  const take = (action: Action) => {
    // After the user's own change, the list of today has a newer version of the visit.
    const { visit: listed, known } = need
    const visit = listed && known && known.version > listed.version ? known : listed
    if (action === 'recall' || action === 'miss') {
      if (visit) act(visit, { action })
    } else if (action === 'line') {
      if (visit) act(visit, { action: 'pin', body: { consultant_id: null } })
    } else onAct(action, need)
  }
  return actionsOf(need)
    .slice(0, first ? 1 : undefined)
    .map((action) => {
      const seconds = action === 'recall' || action === 'miss' ? waits[action] : 0
      const label = seconds > 0 ? soon(action, seconds) : labels[action]
      return (
        <Button
          key={action}
          size="small"
          disabled={pending || seconds > 0}
          aria-label={fill(text.actOf, { action: label, subject: subjectOfNeed(need) })}
          onClick={() => take(action)}
        >
          {label}
        </Button>
      )
    })
}

const soon = (action: Action, seconds: number) =>
  fill(action === 'recall' ? called.recallIn : called.missIn, { time: minutesAndSeconds(seconds) })
