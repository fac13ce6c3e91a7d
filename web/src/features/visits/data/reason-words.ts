import type { Place, Reason } from '@/api/types'
import { fill, fillKnown } from '@/messages'
import { messages } from '@/staff-messages'

type TimeOf = (timestamp: string) => string

const { reasons, classes, reasonThen, mine } = messages.life

/**
 * Why a visitor has this place, one sentence per reason. Codes that this release does not know have no sentence. The
 * code for the visitor's turn has none either, because the place itself shows it.
 */
export const reasonsOf = ({ reasons: codes }: Pick<Place, 'reasons'>, time: TimeOf): string =>
  joined(codes.map((reason) => inWords(reason, time)))

const joined = (sentences: readonly string[]) =>
  sentences.filter(Boolean).reduce((reason, then) => (reason ? fill(reasonThen, { reason, then }) : then), '')

function inWords({ code, values }: Reason, time: TimeOf): string {
  const text = Object.entries(reasons).find(([known]) => known === code)?.[1]
  return (text && fillKnown(text, { ...values, ...worded(values, time) })) ?? ''
}

/** Why a visitor is in the consultant's own queue; empty if the only reason is the visitor's turn. */
export const ownReasonsOf = ({ reasons: codes }: Pick<Place, 'reasons'>, time: TimeOf): string =>
  joined(codes.map((reason) => inOwnWords(reason, time)))

function inOwnWords(reason: Reason, time: TimeOf): string {
  const { code, values } = reason
  if (code === 'first_by_due') return ''
  if (code === 'pinned') return mine.reasons.pinned
  if (code !== 'class') return inWords(reason, time)
  if (values.class === 'priority') return mine.reasons.priority
  return values.class === 'deadline' ? classes.deadline : ''
}

/** The values that have words or a format of their own. */
function worded(values: Reason['values'], time: TimeOf): Record<string, string> {
  const { class: of, slot } = values
  return {
    ...(typeof of === 'string' && of in classes ? { class: classes[of as Place['class']] } : {}),
    ...(typeof slot === 'string' ? { slot: time(slot) } : {}),
  }
}
