import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { messages } from '@/admin-messages'
import { api, payload } from '@/api/client'
import { faultOf } from '@/api/fault'
import { renewAfter } from '@/api/renew'
import type { components } from '@/api/directory'
import type { Language } from '@/locales/languages'
import type { Takes } from './takes'

const text = messages.voices

export type VoicePack = components['schemas']['VoicePack']

const voicesKey = ['voices'] as const

/** The packs that the office has recorded. */
export const voicesQuery = queryOptions({
  queryKey: voicesKey,
  queryFn: async ({ signal }) => (await payload(api.GET('/api/office/voice', { signal }))).packs,
})

function base64(file: ArrayBuffer): string {
  let binary = ''
  for (const byte of new Uint8Array(file)) binary += String.fromCharCode(byte)
  return btoa(binary)
}

type Save = { language: Language; takes: Takes }

/** Saves a complete recording. The screens use it from their next check on. */
export const saveVoice = mutationOptions({
  mutationKey: ['voices', 'save'],
  mutationFn: ({ language, takes: { speaker, clips } }: Save) =>
    payload(
      api.PUT('/api/office/voice/{language}', {
        params: { path: { language } },
        body: {
          speaker,
          consent: true,
          clips: Object.fromEntries(Object.entries(clips).map(([name, file]) => [name, base64(file)])),
        },
      }),
    ),
  onSettled: (_answer, error, _variables, _onMutateResult, { client }) =>
    renewAfter(error, client.invalidateQueries({ queryKey: voicesKey })),
  meta: { success: text.saved, failure: text.saveFailed },
})

export const deleteVoice = mutationOptions({
  mutationKey: ['voices', 'delete'],
  mutationFn: async (language: string) => {
    const { error, response } = await api.DELETE('/api/office/voice/{language}', {
      params: { path: { language } },
    })
    if (!response.ok) throw faultOf(response.status, error, response.statusText)
  },
  onSettled: (_answer, error, _variables, _onMutateResult, { client }) =>
    renewAfter(error, client.invalidateQueries({ queryKey: voicesKey })),
  meta: { success: text.deleted, failure: text.deleteFailed },
})
