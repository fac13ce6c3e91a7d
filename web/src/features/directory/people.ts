import { mutationOptions } from '@tanstack/react-query'
import { api, payload } from '@/api/client'
import { faultOf } from '@/api/fault'
import { renewAfter } from '@/api/renew'
import { messages } from '@/attention-messages'
import { fill } from '@/messages'
import { keepLink } from './invite-link'
import type { Staff } from './models'
import { renewStaff } from './mutations'

const text = messages.people

type Person = Pick<Staff, 'id' | 'name'>

/** Deletes the account of a person who waits for approval. */
export const refusePerson = mutationOptions({
  mutationKey: ['directory', 'refuse'],
  mutationFn: async ({ id }: Person) => {
    const { error, response } = await api.POST('/api/users/{id}/refuse', { params: { path: { id } } })
    if (!response.ok) throw faultOf(response.status, error, response.statusText)
  },
  onSettled: (_answer, error, _person, _onMutateResult, { client }) => renewAfter(error, renewStaff(client)),
  meta: {
    success: (_answer: unknown, { name }: Person) => fill(text.refused, { name }),
    failure: text.refuseFailed,
  },
})

/** Makes another link for an invited person, which the server mails. Resolves with the link. */
export const inviteAgain = mutationOptions({
  mutationKey: ['directory', 'invite-again'],
  mutationFn: async ({ id }: Person, { client }) =>
    keepLink(client, await payload(api.POST('/api/users/{id}/invite', { params: { path: { id } } }))),
  onSettled: (_answer, error, _person, _onMutateResult, { client }) => renewAfter(error, renewStaff(client)),
  meta: { success: text.taken, failure: text.inviteFailed },
})
