import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ConnectionBadge } from '@/ui/badges'
import type { ConnectionHandlers } from './connection'
import { Live, useLive } from './live'

const shared = vi.hoisted(() => ({ handlers: undefined as ConnectionHandlers | undefined }))

vi.mock('./shared-connection', () => ({
  shareConnection: (_identity: object, handlers: ConnectionHandlers) => {
    shared.handlers = handlers
    return { wake: () => undefined, interrupt: () => undefined, close: () => undefined }
  },
}))

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function Badge() {
  const { connected, connecting } = useLive()
  return <ConnectionBadge connected={connected} connecting={connecting} />
}

function open() {
  const none = () => undefined
  render(
    <Live userId="u1" role="pa" onEvent={none} onState={none} onRejected={none}>
      <Badge />
    </Live>,
  )
}

const answer = (connected: boolean) => act(() => shared.handlers?.onState({ connected, exhausted: false }))
const badge = () => screen.getByRole('status').textContent

test('until the stream first answers the badge says Connecting', () => {
  open()
  expect(badge()).toBe('Connecting')
  answer(true)
  expect(badge()).toBe('Connected')
  answer(false)
  expect(badge()).toBe('Disconnected')
})

test('a failed first attempt is Disconnected', () => {
  open()
  answer(false)
  expect(badge()).toBe('Disconnected')
})

test('without an answer the badge says so after five seconds', () => {
  open()
  act(() => {
    vi.advanceTimersByTime(4_900)
  })
  expect(badge()).toBe('Connecting')
  act(() => {
    vi.advanceTimersByTime(200)
  })
  expect(badge()).toBe('Disconnected')
})
