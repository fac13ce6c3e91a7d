import type { Desk } from '@/api/types'
import { fill } from '@/messages'
import { messages } from '@/staff-messages'

const text = messages.life.desk.chips

/** The state of a desk in a few words; with the end of a break where the time can be formatted. */
export function deskChip({ state, counter, backAt }: Desk, time?: (timestamp: string) => string): string {
  if (state === 'open') return counter ? fill(text.openAt, { counter }) : text.open
  if (state === 'break') return backAt && time ? fill(text.breakUntil, { time: time(backAt) }) : text.break
  return text[state]
}
