import staff from './locales/en-staff'
import type { English } from './locales/english'
import { messages as publicMessages } from './messages'

const english = { ...publicMessages, ...staff } as unknown as English

/** Every text on screen. The pages before sign-in import `@/messages`, which has theirs alone: they load less. */
export const messages = globalThis.translation?.messages ?? english
