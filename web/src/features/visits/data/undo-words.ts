import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import type { Offer } from './undo'

const { sentences, several } = messages.life.undo

/** A sentence that names the changes that can be undone. */
export function sentenceOf({ action, toLine, visits }: Offer): string {
  const [only, ...others] = visits
  if (only && others.length === 0) return fill(sentences[action], { token: only.token })
  const kind = action === 'approve' && toLine ? 'line' : action
  const text = kind in several ? several[kind as keyof typeof several] : several.changed
  return fill(text, { count: visits.length })
}
