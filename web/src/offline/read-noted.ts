import { unseal } from './cipher'
import type { Sealed } from './store'
import type { Noted } from './visits'

/** How the browser says that bytes are damaged or sealed with another key, and how JSON does. */
const unreadable = ['OperationError', 'SyntaxError']

/** What was noted of a visitor; undefined when it cannot be read, also later. Other failures may pass. */
export async function notedOf(row: Sealed): Promise<Noted | undefined> {
  try {
    return await unseal<Noted>(row)
  } catch (cause) {
    if (unreadable.includes((cause as { name?: string }).name ?? '')) return undefined
    throw cause
  }
}
