import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { messages } from '@/admin-messages'
import { api, payload } from '@/api/client'
import { renewAfter } from '@/api/renew'
import type { ChangeDevice, Device } from '@/api/types'

const text = messages.screens

const screensKey = ['screens'] as const
const readAgainMs = 30_000

/** The screens and the desks, also those that were removed. Their states change without an event. */
export const screensQuery = queryOptions({
  queryKey: screensKey,
  queryFn: async ({ signal }) => (await payload(api.GET('/api/devices', { signal }))).devices,
  refetchInterval: readAgainMs,
})

/** A screen of the waiting room, or a desk's computer. */
export type NewDevice = { kind: Device['kind']; name: string }

/** Creates a screen or a desk. The answer has its pairing code, which is not shown again. */
export const addScreen = mutationOptions({
  mutationKey: ['screens', 'add'],
  mutationFn: (body: NewDevice) => payload(api.POST('/api/devices', { body })),
  onSettled: (_answer, error, _variables, _onMutateResult, { client }) =>
    renewAfter(error, client.invalidateQueries({ queryKey: screensKey })),
  meta: { failure: text.addFailed },
})

const change = ({ id, body }: { id: string; body: ChangeDevice }) =>
  payload(api.PUT('/api/devices/{id}', { params: { path: { id } }, body }))

/** Renames a screen and sets its voice. */
export const saveScreen = mutationOptions({
  mutationKey: ['screens', 'save'],
  mutationFn: change,
  onSettled: (_answer, error, _variables, _onMutateResult, { client }) =>
    renewAfter(error, client.invalidateQueries({ queryKey: screensKey })),
  meta: { success: text.saved, failure: text.saveFailed },
})

/** Removes a screen. */
export const removeScreen = mutationOptions({
  mutationKey: ['screens', 'remove'],
  mutationFn: (id: string) => change({ id, body: { revoked: true } }),
  onSettled: (_answer, error, _variables, _onMutateResult, { client }) =>
    renewAfter(error, client.invalidateQueries({ queryKey: screensKey })),
  meta: { success: text.removed, failure: text.saveFailed },
})

/** A screen reports every 30 s, a desk every ten minutes. Either counts as silent after three missing reports. */
const silentAfterMs = { display: 95_000, desk: 31 * 60_000 }

export type ScreenState = 'removed' | 'notPaired' | 'silent' | 'works'

export function stateOf({ kind, revokedAt, pairedAt, lastSeenAt }: Device, now: number): ScreenState {
  if (revokedAt !== null) return 'removed'
  if (pairedAt === null) return 'notPaired'
  const seen = lastSeenAt === null ? 0 : Date.parse(lastSeenAt)
  return now - seen > silentAfterMs[kind] ? 'silent' : 'works'
}
