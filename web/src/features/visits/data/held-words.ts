import type { Visit } from '@/api/types'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'

const text = messages.life.hold

/** The reason, the end and the note of a hold; empty for a visit that is not on hold. */
export function heldWords({ queue: { held } }: Visit, time: (timestamp: string) => string): string {
  if (!held) return ''
  // A note is more precise than "Another reason".
  if (held.reason === 'other' && held.note && !held.until) return held.note
  const reason = text.reasons[held.reason]
  const words = held.until ? fill(text.heldUntil, { reason, time: time(held.until) }) : reason
  return held.note ? fill(text.noted, { words, note: held.note }) : words
}
