import { render, screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { Component, Suspense, type ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import { reload } from '@/load-anew'
import { server } from '@/test/server'
import { chunk, spareChunk } from './chunk'

vi.mock('@/load-anew')

const failing = () => Promise.reject(new Error('offline'))

class Boundary extends Component<{ children: ReactNode }> {
  override state = { broken: false }
  static getDerivedStateFromError = () => ({ broken: true })
  override render = () => (this.state.broken ? <p>broken</p> : this.props.children)
}

const page = (part: ReactNode) => (
  <Boundary>
    <p>page</p>
    <Suspense fallback={null}>{part}</Suspense>
  </Boundary>
)

test('a component is loaded with its chunk', async () => {
  const Loaded = chunk(() => Promise.resolve(() => <p>loaded</p>))
  render(page(<Loaded />))
  expect(await screen.findByText('loaded')).toBeVisible()
})

test('after a chunk that cannot be loaded, the page stays until the server answers, and is loaded again once', async () => {
  const answers = [503, 200]
  server.use(http.head('*', () => new HttpResponse(null, { status: answers.shift() ?? 200 })))
  const Missing = chunk(failing)
  render(page(<Missing />))
  await waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
  expect(answers).toEqual([])
  expect(screen.getByText('page')).toBeVisible()

  vi.spyOn(console, 'error').mockReturnValue() // React reports the error.
  const Broken = chunk(failing)
  render(page(<Broken />))
  expect(await screen.findByText('broken')).toBeVisible()
  expect(reload).toHaveBeenCalledTimes(1)
})

test('the page does without a spare component whose chunk cannot be loaded', async () => {
  const Missing = spareChunk(failing)
  render(page(<Missing />))
  await waitFor(() => expect(screen.getByText('page')).toBeVisible())
  expect(reload).not.toHaveBeenCalled()
})
