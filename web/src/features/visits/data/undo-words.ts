import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import type { Offer } from './undo'

/** A sentence that names the change that can be undone. */
export const sentenceOf = ({ action, token }: Offer) => fill(messages.life.undo.sentences[action], { token })
