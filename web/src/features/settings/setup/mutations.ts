import { mutationOptions } from '@tanstack/react-query'
import { api, payload } from '@/api/client'
import { messages } from '@/settings-messages'
import type { TickedStep } from './items'
import { setupKey, type Setup } from './query'

const failure = messages.setup.saveFailed

/** Ticks a step. */
export const tickStep = mutationOptions({
  mutationKey: ['office', 'tick'],
  mutationFn: async (key: TickedStep) =>
    (await payload(api.PUT('/api/office/setup/{key}', { params: { path: { key } }, body: { done: true } })))
      .setup,
  onSuccess: (setup, _key, _onMutateResult, { client }) => client.setQueryData<Setup>(setupKey, setup),
  meta: { failure },
})

/** Hides the checklist for all admins, or shows it again. */
export const dismissSetup = mutationOptions({
  mutationKey: ['office', 'dismiss'],
  mutationFn: async (dismissed: boolean) =>
    (await payload(api.POST('/api/office/setup/dismiss', { body: { dismissed } }))).setup,
  onSuccess: (setup, _dismissed, _onMutateResult, { client }) => client.setQueryData<Setup>(setupKey, setup),
  meta: { failure },
})
