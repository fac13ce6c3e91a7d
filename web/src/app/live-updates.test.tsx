import { act, screen } from '@testing-library/react'
import { useEffect, useEffectEvent, type ComponentProps } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Live } from '@/live/live'
import { userOf } from '@/test/fixtures'
import { openOffice } from '@/test/office'
import { renderApp } from '@/test/render-app'
import { eventually } from '@/test/eventually'

/** A connection whose five attempts have failed; connection.test.ts covers the attempts. */
const lost = vi.hoisted(() => ({ connected: false, exhausted: true, connecting: false }))

vi.mock('@/live/live', () => ({
  useLive: () => lost,
  Live: ({ onState, children }: ComponentProps<typeof Live>) => {
    const change = useEffectEvent(onState)
    useEffect(() => change(lost, Date.now()), [])
    return children
  },
}))

beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }))
afterEach(() => void vi.useRealTimers())

const sentence = 'Real-time updates are unavailable. Please refresh the page.'
const standing = () =>
  screen
    .queryAllByText(sentence)
    .filter((one) => one.closest('.ant-message') && !one.closest('[class*="-leave"]'))

// S8.toast.24, S9.toast.01
test('the toast about unavailable real-time updates stays for 10 s, the bar stays on', async () => {
  openOffice({ user: userOf('reception') })
  renderApp('/dashboard/receptionist')
  await eventually(() => expect(standing()).toHaveLength(1))
  vi.setTimerTickMode('manual') // From here only the test moves the clock.
  await act(() => vi.advanceTimersByTimeAsync(9_000))
  expect(standing()).toHaveLength(1)
  await act(() => vi.advanceTimersByTimeAsync(2_000))
  expect(standing()).toHaveLength(0)
  expect(screen.getByText(sentence, { selector: '.live-lost b' })).toBeVisible()
})
