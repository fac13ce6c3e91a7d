import { mutationOptions } from '@tanstack/react-query'
import { api, payload } from '@/api/client'
import { renewAfter } from '@/api/renew'
import { messages } from '@/messages'
import { appointmentKeys } from './queries'

export type Answer = 'confirmed' | 'declined' | 'done'

const text = messages.appointments

/** Confirms, declines or closes a request. */
export const answerAppointment = mutationOptions({
  mutationKey: ['appointments', 'answer'],
  mutationFn: async ({ id, status }: { id: string; status: Answer }) =>
    (await payload(api.PUT('/api/appointments/{id}', { params: { path: { id } }, body: { status } })))
      .appointment,
  // The list is refetched after a rejection as well: if a colleague answered first, the list shows that answer.
  onSettled: (_answer, error, _variables, _onMutateResult, { client }) =>
    renewAfter(error, client.invalidateQueries({ queryKey: appointmentKeys.all })),
  meta: { success: ({ status }: { status: Answer }) => text.answered[status], failure: text.answerFailed },
})

/**
 * Closes the request of a visitor who was registered. The visitor's token is shown, so there is no toast of a success.
 */
export const closeRequest = { ...answerAppointment, meta: { failure: text.answerFailed } }
