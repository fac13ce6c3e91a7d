import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import type { VisitStatus } from '@/theme/palette'
import { StatusTag } from './status-tag'

/** The stages without a status of their own, with the status whose colours and shape they take. */
const likeStatus = {
  called: 'approved',
  held: 'approved',
  missed: 'approved',
  left: 'denied',
  'no-show': 'denied',
  cancelled: 'denied',
} as const

type Staged = { status: VisitStatus; stage: string; counter?: string | null }

const hasWord = (stage: string): stage is keyof typeof likeStatus => Object.hasOwn(likeStatus, stage)

/** A visit's stage in its own word, otherwise its status. A call also names the desk. */
export function StageTag({ status, stage, counter }: Staged) {
  if (!hasWord(stage)) return <StatusTag status={status} />
  const { stages } = messages
  const label = stage === 'called' && counter ? fill(stages.calledTo, { counter }) : stages[stage]
  return <StatusTag status={likeStatus[stage]} label={label} />
}
