import { render, screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { Suspense, type ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import { reload } from '@/load-anew'
import { tabKeys, write } from '@/storage'
import { server } from '@/test/server'
import { chunk } from './chunk'

vi.mock('@/load-anew')

const failing = () => Promise.reject(new Error('offline'))

const page = (part: ReactNode) => (
  <>
    <p>page</p>
    <Suspense fallback={<p>loading</p>}>{part}</Suspense>
  </>
)

test('a component is loaded with its chunk', async () => {
  const Loaded = chunk(() => Promise.resolve(() => <p>loaded</p>))
  render(page(<Loaded />))
  expect(await screen.findByText('loaded')).toBeVisible()
})

test('a page whose chunks cannot be loaded stays until the server answers, and is loaded again once', async () => {
  const answers = [503, 200]
  server.use(http.head('*', () => new HttpResponse(null, { status: answers.shift() ?? 200 })))
  const [Missing, Other] = [chunk(failing), chunk(failing)]
  render(page(<Missing />))
  render(page(<Other />))
  await waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
  expect(answers).toEqual([])
  expect(screen.getAllByText('page')).toHaveLength(2)
})

test('a chunk that fails again within a minute does not load the page again, nor remove it', async () => {
  vi.resetModules()
  const again = await import('./chunk')
  const { report } = await import('@/telemetry/report')
  const { reload: reloadAgain } = await import('@/load-anew')
  write(tabKeys.reloaded, String(Date.now()))
  server.use(http.head('*', () => new HttpResponse(null)))
  const reported = vi.spyOn(report, 'error')
  const Broken = again.chunk(failing)
  render(page(<Broken />))
  await waitFor(() => expect(reported).toHaveBeenCalled())
  expect(reloadAgain).not.toHaveBeenCalled()
  expect(screen.getByText('page')).toBeVisible()
})
