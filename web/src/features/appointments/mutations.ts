import { mutationOptions } from '@tanstack/react-query'
import { api, payload } from '@/api/client'
import { renewAfter } from '@/api/renew'
import type { DirectoryBodies as Bodies, StaffAppointment } from '@/api/types'
import { messages } from '@/staff-messages'
import { appointmentKeys } from './queries'

export type Change = {
  appointment: Pick<StaffAppointment, 'id' | 'version'>
  status: Bodies['ChangeAppointment']['status']
  /** Whether the client is sent a message. */
  tell?: boolean
}

/** Changes the status of an appointment. A desk uses it alone for what needs no undo. */
export const sendStatus = mutationOptions({
  mutationKey: ['appointments', 'confirm'],
  mutationFn: async ({ appointment: { id, version }, status, tell = true }: Change) => {
    const body = { status, tell, version }
    return (await payload(api.PUT('/api/appointments/{id}', { params: { path: { id } }, body }))).appointment
  },
  onSettled: (_answer, error, _change, _onMutateResult, { client }) =>
    renewAfter(error, client.invalidateQueries({ queryKey: appointmentKeys.all })),
  meta: { failure: messages.day.changeFailed, unanswered: messages.problems.unreached },
})

/** Closes the request of a visitor who was registered without its time. */
export const closeRequest = mutationOptions({
  mutationKey: ['appointments', 'close'],
  mutationFn: (id: string) =>
    payload(api.PUT('/api/appointments/{id}', { params: { path: { id } }, body: { status: 'done' } })),
  onSettled: (_answer, error, _id, _onMutateResult, { client }) =>
    renewAfter(error, client.invalidateQueries({ queryKey: appointmentKeys.all })),
  meta: { failure: messages.day.changeFailed },
})
