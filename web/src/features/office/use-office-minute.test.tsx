import { act, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { recordServerTime } from '@/clock'
import { useOfficeMinute } from './use-office-minute'

function Minute() {
  const { today, time } = useOfficeMinute('Asia/Kolkata')
  return <p>{`${today} ${time}`}</p>
}

afterEach(() => {
  vi.useRealTimers()
  recordServerTime(new Date().toUTCString(), Date.now(), Date.now())
})

test("the office's day and time are the server's, also when the visitor's clock is wrong and after midnight", () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T20:00:00+05:30') })
  recordServerTime('Fri, 20 Nov 2026 18:29:00 GMT', Date.now(), Date.now())
  render(<Minute />)
  expect(screen.getByText('2026-11-20 23:59')).toBeInTheDocument()
  act(() => {
    vi.advanceTimersByTime(60_000)
  })
  expect(screen.getByText('2026-11-21 00:00')).toBeInTheDocument()
})
