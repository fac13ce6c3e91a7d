import type { Visit } from '@/api/types'
import { fill, messages } from '@/messages'

const text = messages.life.hold

/** Why a visitor is on hold, until when, and the note; empty for one who is not. */
export function heldWords({ queue: { held } }: Visit, time: (timestamp: string) => string): string {
  if (!held) return ''
  const reason = text.reasons[held.reason]
  const words = held.until ? fill(text.heldUntil, { reason, time: time(held.until) }) : reason
  return held.note ? fill(text.noted, { words, note: held.note }) : words
}
