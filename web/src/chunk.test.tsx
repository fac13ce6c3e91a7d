import { render, screen } from '@testing-library/react'
import { Suspense } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { inBackground } from '@/in-background'
import { chunk, persistently, removeFailedStyles } from './chunk'

afterEach(() => vi.useRealTimers())

test('a component whose chunk cannot be loaded appears when the server answers again', async () => {
  const load = vi.fn(() => Promise.resolve(() => <p>loaded</p>)).mockRejectedValueOnce(new Error('offline'))
  const Loaded = chunk(load)
  render(
    <Suspense fallback="loading">
      <Loaded />
    </Suspense>,
  )
  expect(await screen.findByText('loaded')).toBeVisible()
  expect(load).toHaveBeenCalledTimes(2)
})

test('the pauses between attempts double up to eight seconds', async () => {
  vi.useFakeTimers()
  const attempts: number[] = []
  const began = Date.now()
  inBackground(
    persistently(() => {
      attempts.push(Date.now() - began)
      return Promise.reject(new Error('offline'))
    }),
  )
  await vi.advanceTimersByTimeAsync(24_000)
  expect(attempts).toEqual([0, 500, 1_500, 3_500, 7_500, 15_500, 23_500])
})

test('a stylesheet that failed to load is removed, so that it is loaded again', () => {
  removeFailedStyles()
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  document.head.append(link)
  link.dispatchEvent(new Event('error'))
  expect(link.isConnected).toBe(false)
})
