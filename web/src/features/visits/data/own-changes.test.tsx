import { act, renderHook } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { afterEach, expect, test, vi } from 'vitest'
import type { Visit } from '@/api/types'
import { createQueryClient } from '@/app/query-client'
import { serverNow } from '@/clock'
import { useEntries } from '@/shelf'
import { queueOf, visitOf } from '@/test/fixtures'
import { server } from '@/test/server'
import { applyOwnChanges, forgetOffers } from './own-changes'

afterEach(() => {
  act(forgetOffers)
})

const toast = { success: vi.fn(), error: vi.fn(), loading: vi.fn(), close: vi.fn() }

/** Visits that were ended together, whose end can still be undone. */
function ended(count: number): Visit[] {
  const until = new Date(serverNow() + 30_000).toISOString()
  const queue = queueOf('left', { undo: { action: 'leave', until, by: 'Divya' } })
  return Array.from({ length: count }, (_, index) =>
    visitOf(index + 1, { status: 'denied', version: 2, queue }),
  )
}

test('the part of an undo that had no answer is repeated with its key', async () => {
  const visits = ended(52)
  const keys: (string | null)[] = []
  server.use(
    http.post('*/api/visits/batch', async ({ request }) => {
      const { visits: asked } = (await request.json()) as { visits: { id: string }[] }
      // A request has 50 visits at most.
      if (asked.length === 2) keys.push(request.headers.get('Idempotency-Key'))
      if (keys.length === 1)
        return HttpResponse.json({ error: 'no', code: 'unavailable', request_id: 'r' }, { status: 503 })
      const undone = visits.filter(({ id }) => asked.some((one) => one.id === id))
      return HttpResponse.json({
        results: undone.map(({ id, token }) => ({
          id,
          visit: { ...visitOf(1), id, token, version: 3 },
          error: null,
        })),
      })
    }),
  )
  const { result } = renderHook(useEntries)
  act(() => applyOwnChanges(createQueryClient(toast as never), visits))
  const undo = () => act(() => Promise.allSettled([result.current.entries[0]?.take?.()]))
  await undo()
  expect(result.current.entries[0]?.sentence).toBe('2 marked as left.')
  await undo()
  expect(keys).toHaveLength(2)
  expect(keys[1]).toBe(keys[0])
})

test('a success whose undo has expired is shown without an undo', () => {
  const until = new Date(serverNow() - 1_000).toISOString()
  const queue = queueOf('left', { undo: { action: 'leave', until, by: 'Divya' } })
  const visit = visitOf(1, { status: 'denied', version: 2, queue })
  const { result } = renderHook(useEntries)
  act(() => applyOwnChanges(createQueryClient(toast as never), [visit]))
  expect(result.current.entries).toMatchObject([{ sentence: `${visit.token} marked as left.` }])
  expect(result.current.entries[0]?.take).toBeUndefined()
})
