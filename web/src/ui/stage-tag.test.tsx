import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { recordServerTime, serverNow } from '@/clock'
import { OfficeTimeProvider } from './office-time'
import { StageTag } from './stage-tag'

const start = Date.parse('2026-11-20T05:00:00Z')
beforeEach(() => void vi.useFakeTimers({ now: start }))
afterEach(() => void vi.useRealTimers())

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds))
const at = (milliseconds: number) => new Date(milliseconds).toISOString()

test("a call is late in time, although the estimate of the server's clock went back meanwhile", async () => {
  const date = new Date(start + 60_000).toUTCString()
  recordServerTime(date, start, start)
  const known = serverNow()
  const call = { nudgeAt: at(known + 5_000) }
  render(
    <OfficeTimeProvider timeZone="Asia/Kolkata">
      <StageTag status="approved" queue={{ stage: 'called', calledAt: at(known), call }} />
    </OfficeTimeProvider>,
  )
  recordServerTime(date, start + 300, start + 300)
  expect(serverNow()).toBe(known - 150)
  await pass(5_001)
  expect(screen.getByText(/^called/)).toBeVisible()
  await pass(150)
  expect(screen.getByText(/^not come/)).toBeVisible()
})
