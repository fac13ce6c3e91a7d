import { useEffect, useReducer } from 'react'
import { serverNow } from '@/clock'
import { messages } from '@/staff-messages'
import type { VisitStatus } from '@/theme/palette'
import { Filled } from './filled'
import { RunningTime } from './office-time'
import { CallTag, StatusTag } from './status-tag'

/** The stages with a word of their own, except `called`, and the status whose colours and shape they take. */
const likeStatus = {
  held: 'approved',
  missed: 'approved',
  left: 'denied',
  'no-show': 'denied',
  cancelled: 'denied',
} as const

/** The fields of a visit's queue that a tag uses. */
type Staged = {
  stage: string
  counter?: string | null
  /** The last call. */
  calledAt?: string | null
  call?: { nudgeAt: string } | null
}

const hasWord = (stage: string): stage is keyof typeof likeStatus => Object.hasOwn(likeStatus, stage)

/**
 * A visit's stage, or its status if the stage has no word of its own. A call shows the desk and how long ago it was.
 */
export function StageTag({ status, queue }: { status: VisitStatus; queue: Staged }) {
  const { stage } = queue
  if (stage === 'called') return <Called queue={queue} />
  if (!hasWord(stage)) return <StatusTag status={status} />
  return <StatusTag status={likeStatus[stage]} label={messages.stages[stage]} />
}

function Called({ queue: { counter, calledAt, call } }: { queue: Staged }) {
  const { stages } = messages
  const late = useIsPast(call?.nudgeAt)
  if (!calledAt) return <CallTag>{stages.called}</CallTag>
  const time = <RunningTime since={calledAt} />
  return (
    <CallTag late={late}>
      {counter ? (
        <Filled message={late ? stages.notComeTo : stages.calledForTo} values={{ time, counter }} />
      ) : (
        <Filled message={late ? stages.notCome : stages.calledFor} values={{ time }} />
      )}
    </CallTag>
  )
}

/** Whether a time is past. Rerenders at that time, even if the server clock was corrected meanwhile. */
function useIsPast(at: string | undefined): boolean {
  const [ticks, tick] = useReducer((count: number) => count + 1, 0)
  const left = at ? Date.parse(at) - serverNow() : Infinity
  const isPast = left <= 0
  useEffect(() => {
    if (!at || isPast) return
    const timer = setTimeout(tick, Math.max(0, Date.parse(at) - serverNow()) + 1)
    return () => clearTimeout(timer)
  }, [at, isPast, ticks])
  return isPast
}
