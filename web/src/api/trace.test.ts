import { http, HttpResponse } from 'msw'
import { afterEach, expect, test, vi } from 'vitest'
import { report } from '@/telemetry/report'
import { server } from '@/test/server'
import { productFetch } from './client'

afterEach(() => void vi.restoreAllMocks())

/**
 * Responds to every call with the `traceresponse` header that `responseFor` returns. Collects the sent `traceparent`s.
 */
function answering(responseFor: (traceparent: string) => string | undefined) {
  const sent: string[] = []
  server.use(
    http.all('*/api/services', ({ request }) => {
      const traceparent = request.headers.get('traceparent') ?? ''
      sent.push(traceparent)
      const traceresponse = responseFor(traceparent)
      return HttpResponse.json({}, traceresponse === undefined ? {} : { headers: { traceresponse } })
    }),
  )
  return sent
}

const send = (method: string) => productFetch(new Request(`${location.origin}/api/services`, { method }))
const keep = (traceparent: string) => `${traceparent.slice(0, 36)}00f067aa0ba902b7-01`

test('each call begins a trace of its own and does not sample it', async () => {
  const sent = answering(() => undefined)
  await send('GET')
  await send('POST')
  for (const traceparent of sent) expect(traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/)
  expect(new Set(sent.map((traceparent) => traceparent.slice(3, 35))).size).toBe(2)
})

test('the browser reports its span of a change whose trace is kept, and no other', async () => {
  const reported = vi.spyOn(report, 'asked')
  const sent = answering(keep)
  await send('GET')
  expect(reported).not.toHaveBeenCalled()
  await send('POST')
  expect(reported).toHaveBeenCalledExactlyOnceWith(expect.any(Number), `${sent.at(-1)?.slice(0, 52)}-01`)
  for (const other of [
    () => undefined,
    () => keep(`00-${'f'.repeat(32)}-`),
    (own: string) => `${keep(own).slice(0, -1)}0`,
  ]) {
    answering(other)
    await send('POST')
  }
  expect(reported).toHaveBeenCalledOnce()
})
