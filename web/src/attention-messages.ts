import english from './locales/en-attention'
import type { AttentionTexts } from './messages'

/**
 * The texts for what needs attention. In English they are separate from the staff texts, so that a dashboard loads
 * less. In the other languages they are part of the staff texts, which are loaded before the first dashboard.
 */
export const messages: AttentionTexts =
  globalThis.translation?.staff ?? (english as unknown as AttentionTexts)
