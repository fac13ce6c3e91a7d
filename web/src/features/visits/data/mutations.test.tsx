import { MutationObserver, onlineManager, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '@/app/query-client'
import { startSession } from './mutations'
import { todayQuery } from './queries'
import { visitOf } from './stage'

afterEach(() => {
  onlineManager.setOnline(true)
  vi.unstubAllGlobals()
})

const toast = { success: vi.fn(), error: vi.fn(), loading: vi.fn(), close: vi.fn() }

test('a change that fails when the network is lost ends, though the lists wait for the network', async () => {
  vi.stubGlobal('fetch', () => {
    onlineManager.setOnline(false) // stands for the browser's offline event
    return Promise.reject(new TypeError('Failed to fetch'))
  })
  const client = createQueryClient(toast as never)
  const list = new QueryObserver(client, {
    ...todayQuery(),
    enabled: true,
    queryFn: () => fetch('/') as never,
  })
  const stop = list.subscribe(() => undefined)
  const start = new MutationObserver(client, startSession)
  await expect(start.mutate(visitOf({ id: '1', status: 'approved' } as never))).rejects.toThrow()
  expect(start.getCurrentResult().status).toBe('error')
  stop()
})
