import { mutationOptions, type QueryClient } from '@tanstack/react-query'
import { api, payload } from '@/api/client'
import { renewAfter } from '@/api/renew'
import type { DirectoryBodies as Bodies, StaffAppointment } from '@/api/types'
import { serverNow } from '@/clock'
import { sendStatus } from '@/features/appointments/mutations'
import { appointmentKeys } from '@/features/appointments/queries'
import { fill } from '@/messages'
import { addEntry, addSuccess, removeEntry } from '@/shelf'
import { messages } from '@/staff-messages'

const text = messages.day

const renew = (client: QueryClient) => client.invalidateQueries({ queryKey: appointmentKeys.all })

const keyOf = (id: string) => `appointment/${id}`

/** Shows an own change on the shelf, with its undo while the server allows it. */
function offerUndo(client: QueryClient, changed: StaffAppointment) {
  const { id, name, undo } = changed
  removeEntry(keyOf(id))
  if (!undo) return
  const sentence = fill(text.changed[undo.action], { name })
  const until = Date.parse(undo.until)
  if (until <= serverNow()) {
    addSuccess(sentence)
    return
  }
  const take = () => client.getMutationCache().build(client, undoAppointment).execute({ id, name })
  addEntry({ key: keyOf(id), text: sentence, sentence, until, take })
}

export const undoAppointment = mutationOptions({
  mutationKey: ['appointments', 'undo'],
  mutationFn: async ({ id }: Pick<StaffAppointment, 'id' | 'name'>) =>
    (await payload(api.POST('/api/appointments/{id}/undo', { params: { path: { id } } }))).appointment,
  onSettled: (_answer, error, _of, _onMutateResult, { client }) => renewAfter(error, renew(client)),
  meta: {
    success: ({ name }: StaffAppointment) => fill(text.undone, { name }),
    failure: text.changeFailed,
    unanswered: messages.problems.unreached,
  },
})

export const changeStatus = mutationOptions({
  ...sendStatus,
  mutationKey: ['appointments', 'status'],
  onSuccess: (changed, _change, _onMutateResult, { client }) => offerUndo(client, changed),
})

type Move = { appointment: StaffAppointment } & Bodies['MoveAppointment']

export const moveAppointment = mutationOptions({
  mutationKey: ['appointments', 'move'],
  mutationFn: async ({ appointment: { id, version }, ...to }: Move) => {
    const body = { ...to, version }
    return (await payload(api.POST('/api/appointments/{id}/move', { params: { path: { id } }, body })))
      .appointment
  },
  onSuccess: (changed, _move, _onMutateResult, { client }) => offerUndo(client, changed),
  onSettled: (_answer, error, _move, _onMutateResult, { client }) => renewAfter(error, renew(client)),
  meta: { failure: text.changeFailed, unanswered: messages.problems.unreached },
})

type Details = { appointment: StaffAppointment } & Bodies['ChangeAppointmentDetails']

export const saveDetails = mutationOptions({
  mutationKey: ['appointments', 'details'],
  mutationFn: async ({ appointment: { id, version }, ...details }: Details) => {
    const body = { ...details, version }
    return (await payload(api.PUT('/api/appointments/{id}/details', { params: { path: { id } }, body })))
      .appointment
  },
  onSettled: (_answer, error, _details, _onMutateResult, { client }) => renewAfter(error, renew(client)),
  meta: { success: text.saved, failure: text.changeFailed, unanswered: messages.problems.unreached },
})

type Booking = { booking: Bodies['BookAppointment']; key: string }

/** Books an appointment. A repeated request with the same key books no second one. */
export const bookAppointment = mutationOptions({
  mutationKey: ['appointments', 'book'],
  mutationFn: async ({ booking, key }: Booking) => {
    const params = { header: { 'Idempotency-Key': key } }
    return (await payload(api.POST('/api/appointments/book', { params, body: booking }))).appointment
  },
  onSuccess: (booked, _booking, _onMutateResult, { client }) => offerUndo(client, booked),
  onSettled: (_answer, error, _booking, _onMutateResult, { client }) => renewAfter(error, renew(client)),
  meta: { failure: text.bookFailed, unanswered: messages.problems.unreached },
})
