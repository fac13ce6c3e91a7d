import { loadTexts } from '@/live/offline-texts'
import { fill, messages } from '@/messages'
import { ask } from './ask'
import { forgetPerson } from './person'
import { forgetLists, notedRows } from './store'

/** Asks whether to sign out while there are unsent visitors. These stay in the browser. */
export async function askToLeave(): Promise<boolean> {
  const count = (await notedRows()).length
  if (count === 0) return true
  const text = await loadTexts()
  return ask(fill(text.signOut, { count }), messages.auth.signOut, text.stay)
}

/** Deletes the lists, and the permission to start the desk without the server. */
export async function forgetPairedDesk(): Promise<void> {
  await Promise.all([forgetLists(), forgetPerson()])
}
