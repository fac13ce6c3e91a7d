import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { userOf, visitOf } from '@/test/fixtures'
import { openOffice } from '@/test/office'
import { renderApp } from '@/test/render-app'

async function openSheet(now: string) {
  const office = openOffice({ user: userOf('pa'), visits: [visitOf(1)] })
  office.clock.now = () => new Date(now)
  const { person } = renderApp('/dashboard/pa')
  await screen.findByRole('article', { name: /T-001/ })
  await person.click(screen.getByRole('button', { name: 'Close the day' }))
  await screen.findByRole('button', { name: 'Left: T-001' })
}

test.each([
  ['on a Friday at noon', '2026-11-20T06:30:00Z', '7 PM'],
  ['on a Saturday at noon', '2026-11-21T06:30:00Z', '5 PM'],
])('the day is not over %s: the sheet says until when the office is open', async (_when, now, until) => {
  await openSheet(now)
  expect(screen.getByText(`The office is open until ${until}.`)).toBeVisible()
})

test.each([
  ['before the office opens', '2026-11-20T02:30:00Z'],
  ['within the last hour', '2026-11-20T12:45:00Z'],
  ['after the office has closed', '2026-11-20T14:00:00Z'],
  ['on a day without opening hours', '2026-11-22T06:30:00Z'],
])('the sheet does not name the hours %s; it explains the choices', async (_when, now) => {
  await openSheet(now)
  expect(screen.queryByText(/^The office is open/)).toBeNull()
  expect(
    screen.getByText(/^Left: the visit ends and counts as left\. Carry over: .* Call tomorrow: .* phoned\./),
  ).toBeVisible()
})
