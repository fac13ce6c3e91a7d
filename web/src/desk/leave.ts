import { fill } from '@/messages'
import { forgetPerson } from './person'
import { forgetLists, outboxRows } from './store'
import { loadTexts } from './texts'

/**
 * Asks whether to sign out while visitors are not sent; they stay, locked. Deletes the lists, and who may start the
 * desk without the server.
 */
export async function leaveDesk(): Promise<boolean> {
  const count = (await outboxRows()).length
  if (count > 0 && !confirm(fill((await loadTexts()).signOut, { count }))) return false
  await Promise.all([forgetLists(), forgetPerson()])
  return true
}
