import { unseal } from './cipher'
import type { Sealed } from './store'
import type { Noted } from './visits'

/**
 * The names of two errors: the browser's error for bytes that are damaged or sealed with another key, and the error for
 * invalid JSON.
 */
const unreadable = ['OperationError', 'SyntaxError']

/** The recorded visit of a row; undefined if it can never be read. Temporary failures are thrown. */
export async function notedOf(row: Sealed): Promise<Noted | undefined> {
  try {
    return await unseal<Noted>(row)
  } catch (cause) {
    if (unreadable.includes((cause as { name?: string }).name ?? '')) return undefined
    throw cause
  }
}
