import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { api, payload } from '@/api/client'
import { faultOf } from '@/api/fault'
import { renewAfter } from '@/api/renew'
import { messages } from '@/staff-messages'

const text = messages.calendars

const calendarsKey = ['calendars'] as const

/**
 * The addresses in use: for an admin those of the office and of all consultants, for a consultant the own ones. No event
 * reports that one was read, so each panel that is opened reads them.
 */
export const calendarsQuery = queryOptions({
  queryKey: calendarsKey,
  queryFn: async ({ signal }) => (await payload(api.GET('/api/calendars', { signal }))).calendars,
  staleTime: 0,
})

/** Makes an address for a consultant, or for the office if the id is null. Only this answer has its URL. */
export const makeCalendar = mutationOptions({
  mutationKey: ['calendars', 'make'],
  mutationFn: async (consultant: string | null) =>
    (await payload(api.POST('/api/calendars', { body: { consultant_id: consultant } }))).calendar,
  onSettled: (_answer, error, _variables, _onMutateResult, { client }) =>
    renewAfter(error, client.invalidateQueries({ queryKey: calendarsKey })),
  meta: { failure: text.makeFailed },
})

/** Revokes an address: calendars that use it get no changes any more. */
export const revokeCalendar = mutationOptions({
  mutationKey: ['calendars', 'revoke'],
  mutationFn: async (id: string) => {
    const { error, response } = await api.DELETE('/api/calendars/{id}', { params: { path: { id } } })
    if (!response.ok) throw faultOf(response.status, error, response.statusText)
  },
  onSettled: (_answer, error, _variables, _onMutateResult, { client }) =>
    renewAfter(error, client.invalidateQueries({ queryKey: calendarsKey })),
  meta: { success: text.revoked, failure: text.revokeFailed },
})
