import type { Place, Reason } from '@/api/types'
import { fill, fillKnown } from '@/messages'
import { messages } from '@/staff-messages'

type TimeOf = (timestamp: string) => string

const { reasons, classes, reasonThen } = messages.life

/**
 * Why a visitor has this place, each reason a sentence. A code of a newer server is left out, and that a visitor only
 * has the turn: the place says so.
 */
export const reasonsOf = ({ reasons: codes }: Pick<Place, 'reasons'>, time: TimeOf): string =>
  codes
    .map((reason) => inWords(reason, time))
    .filter(Boolean)
    .reduce((reason, then) => (reason ? fill(reasonThen, { reason, then }) : then), '')

function inWords({ code, values }: Reason, time: TimeOf): string {
  const text = Object.entries(reasons).find(([known]) => known === code)?.[1]
  return (text && fillKnown(text, { ...values, ...worded(values, time) })) ?? ''
}

/** The values that have words or a format of their own. */
function worded(values: Reason['values'], time: TimeOf): Record<string, string> {
  const { class: of, slot } = values
  return {
    ...(typeof of === 'string' && of in classes ? { class: classes[of as Place['class']] } : {}),
    ...(typeof slot === 'string' ? { slot: time(slot) } : {}),
  }
}
