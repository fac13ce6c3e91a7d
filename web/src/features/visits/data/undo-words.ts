import { fill } from '@/messages'
import { messages } from '@/staff-messages'
import type { Offer } from './undo'

/** The change of an offer in one sentence. */
export const sentenceOf = ({ action, token }: Offer) => fill(messages.life.undo.sentences[action], { token })
