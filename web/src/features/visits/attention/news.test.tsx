import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { serverNow } from '@/clock'
import { OfficeTimeProvider } from '@/ui/office-time'
import type { Listed } from './needs'
import { News } from './news'
import { Sentence } from './sentence'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const visit = { name: 'Thomas Mathew', service: 'ITR Filing', stage: 'waiting', version: 1 } as const
const longWait = (number: number): Listed => ({
  id: `wait-${number}`,
  kind: 'waiting_long',
  since: new Date(serverNow() - 12 * 60_000).toISOString(),
  visit: { ...visit, id: `visit-${number}`, token: `T-0${number}` },
  values: {},
  actions: [],
  known: undefined,
})

const announced = () =>
  [...screen.getByRole('status').querySelectorAll('p')].map(({ textContent }) => textContent)

test('a wait is announced once: the sentence on the screen grows, the announced one does not', () => {
  const need = longWait(17)
  render(
    <OfficeTimeProvider timeZone="Asia/Kolkata">
      <h1>
        <Sentence of={need} />
      </h1>
      <News of={[need]} />
    </OfficeTimeProvider>,
  )
  act(() => {
    vi.advanceTimersByTime(120_000)
  })
  expect(screen.getByRole('heading')).toHaveTextContent('T-017 waits 14 min longer than promised')
  expect(announced()).toEqual(['T-017 waits 12 min longer than promised'])
})

test('entries that come at once are all announced, many by their number', () => {
  const newsOf = (...numbers: number[]) => (
    <OfficeTimeProvider timeZone="Asia/Kolkata">
      <News of={numbers.map(longWait)} />
    </OfficeTimeProvider>
  )
  const { rerender } = render(newsOf(17, 18))
  expect(announced()).toEqual([
    'T-017 waits 12 min longer than promised',
    'T-018 waits 12 min longer than promised',
  ])
  rerender(newsOf(21, 22, 23, 24))
  expect(screen.getByRole('status')).toHaveTextContent(/^4 need attention$/)
})
