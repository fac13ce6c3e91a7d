import { mutationOptions } from '@tanstack/react-query'
import { messages } from '@/admin-messages'
import { api, payload, productFetch } from '@/api/client'
import { renewAfter } from '@/api/renew'
import { faultOf } from '@/api/fault'
import type { Bodies } from '@/api/types'
import { save } from '@/ui/save-file'
import { privacyKeys, type PrivacyRequest } from './queries'

const text = messages.privacy

/** Adds a request of a person to the register. */
export const receivePrivacyRequest = mutationOptions({
  mutationKey: ['privacy', 'receive'],
  mutationFn: (body: Bodies['NewPrivacyRequest']) => payload(api.POST('/api/privacy/requests', { body })),
  onSettled: (_answer, error, _body, _onMutateResult, { client }) =>
    renewAfter(error, client.invalidateQueries({ queryKey: privacyKeys.requests })),
  meta: { success: text.requests.added, failure: text.requests.saveFailed },
})

type Answer = { request: PrivacyRequest; body: Bodies['AnswerPrivacyRequest'] }

export const answerPrivacyRequest = mutationOptions({
  mutationKey: ['privacy', 'answer'],
  mutationFn: ({ request: { id, version }, body }: Answer) =>
    payload(
      api.PUT('/api/privacy/requests/{id}', {
        params: { path: { id }, header: { 'If-Match': `"${version}"` } },
        body,
      }),
    ),
  onSettled: (_answer, error, _body, _onMutateResult, { client }) =>
    renewAfter(error, client.invalidateQueries({ queryKey: privacyKeys.requests })),
  meta: { success: text.requests.saved, failure: text.requests.saveFailed },
})

/** Finds, exports or erases the data of a person. */
export const useOfPerson = mutationOptions({
  mutationKey: ['privacy', 'person'],
  mutationFn: async (body: Bodies['UseSubject']) => {
    const answer = await payload(api.POST('/api/privacy/subject', { body }))
    if (answer.document !== undefined)
      save(new Blob([answer.document], { type: 'text/markdown' }), 'person.md')
    return answer
  },
  meta: { failure: text.person.useFailed },
})

const patienceMs = 600_000

/**
 * Creates the files for the notifications after a breach and saves them as one archive. Resolves with the number of
 * persons to inform.
 */
export const makeKit = mutationOptions({
  mutationKey: ['privacy', 'breach'],
  mutationFn: async (body: Bodies['ReportBreach']) => {
    const url = new URL('/api/privacy/breach', globalThis.location.origin)
    const headers = { 'Content-Type': 'application/json' }
    const request = new Request(url, { method: 'POST', headers, body: JSON.stringify(body) })
    const response = await productFetch(request, () => AbortSignal.timeout(patienceMs))
    if (!response.ok) throw faultOf(response.status, await response.json().catch(() => undefined), '')
    save(await response.blob(), `breach-${body.from}-${body.to}.zip`)
    return Number(response.headers.get('Baari-Persons'))
  },
  meta: { failure: text.breach.failed },
})
