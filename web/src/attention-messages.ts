import english from './locales/en-attention'
import type { AttentionTexts } from './messages'

/**
 * The texts of what needs attention. They are separate from those of the staff, so that a dashboard loads less. In
 * other languages they are part of the texts of the staff, which are loaded before the first dashboard.
 */
export const messages: AttentionTexts =
  globalThis.translation?.staff ?? (english as unknown as AttentionTexts)
