import { mutationOptions } from '@tanstack/react-query'
import { messages } from '@/admin-messages'
import { api, payload } from '@/api/client'
import { renewAfter } from '@/api/renew'
import type { DueDate, SaveDueDate } from '@/api/types'
import { dueDateKeys } from './queries'

const text = messages.dueDates

/** Adds an entry to the calendar, or replaces an entry that has not changed since it was read. */
export const saveDueDate = mutationOptions({
  mutationKey: ['due-dates', 'save'],
  mutationFn: async ({ entry, body }: { entry: Entry | null; body: SaveDueDate }) => {
    if (!entry) return payload(api.POST('/api/due-dates', { body }))
    const params = { path: { id: entry.id } }
    return payload(api.PUT('/api/due-dates/{id}', { params, body: { ...body, version: entry.version } }))
  },
  onSettled: (_answer, error, _variables, _onMutateResult, { client }) =>
    renewAfter(error, client.invalidateQueries({ queryKey: dueDateKeys.all })),
  meta: { success: text.saved, failure: text.saveFailed },
})

/** An entry of the calendar, on one of the days on which it is due. */
export type Entry = DueDate

/**
 * An entry's present values as a request body; callers replace some of them. The body omits the day on which the entry
 * was checked, so the server stores today.
 */
export function bodyOf({ group, title, source, rule, once, moved, active }: Entry): SaveDueDate {
  const when = rule ? { rule } : { date: once ?? '' }
  return { group, title, source, moved, active, ...when }
}
