import { act, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { recordServerTime } from '@/clock'
import { OfficeTimeProvider } from '@/ui/office-time'
import { AlertsProvider, useAlerts } from './alerts'
import { NotificationList } from './notification-list'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.useRealTimers()
  recordServerTime(new Date().toUTCString(), Date.now(), Date.now())
})

function Bell() {
  const { list, add } = useAlerts()
  const alert = { text: 'Token T-007 was denied', detail: '', kind: 'info', icon: 'x', seconds: 3 } as const
  const items = list.map(({ id, text, detail, icon, at }) => ({
    id,
    title: text,
    text: detail,
    icon,
    at,
    unread: false,
  }))
  return (
    <>
      <button onClick={() => add(alert, 'a-1')}>Add</button>
      <NotificationList alerts={items} tips={[]} />
    </>
  )
}

test("the time of an alert is the office's, in a browser of another zone whose clock is wrong", () => {
  vi.stubEnv('TZ', 'Asia/Dubai')
  expect(new Date().getTimezoneOffset()).toBe(-4 * 60)
  vi.useFakeTimers({ now: Date.parse('2026-11-20T10:00:00+04:00') })
  // The browser's clock is 88 minutes slow: in the office it is 12:58.
  recordServerTime('Fri, 20 Nov 2026 07:28:00 GMT', Date.now(), Date.now())
  render(
    <OfficeTimeProvider timeZone="Asia/Kolkata">
      <AlertsProvider>
        <Bell />
      </AlertsProvider>
    </OfficeTimeProvider>,
  )
  act(() => screen.getByRole('button', { name: 'Add' }).click())
  expect(screen.getByText('0 min')).toBeInTheDocument()
  act(() => {
    vi.advanceTimersByTime(61 * 60_000)
  })
  expect(screen.getByText('12:58 PM')).toBeInTheDocument()
})
