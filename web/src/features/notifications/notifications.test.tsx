import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { dialogOf } from '@/test/dialog-of'
import { userOf } from '@/test/fixtures'
import { openOffice } from '@/test/office'
import { renderApp } from '@/test/render-app'

/** An office with a number of notifications for reception, `Notice 1.` being the newest. */
function openOfficeWith(length: number) {
  const office = openOffice({ user: userOf('reception') })
  const notifications = Array.from({ length }, (_, index) => ({
    id: `n-${index}`,
    message: `Notice ${index + 1}.`,
    type: 'info' as const,
    target_roles: ['reception'],
    sender: 'Anand',
    createdAt: new Date(Date.UTC(2026, 10, 20, 6, 30 - index)).toISOString(),
  }))
  office.answer('GET /api/stream/notifications', () => ({ notifications }))
}

test.each([
  { received: 6, count: '9' },
  { received: 7, count: '10' },
  { received: 96, count: '99' },
  { received: 97, count: '99+' },
])('with $received notifications and three tips, the bell shows $count', async ({ received, count }) => {
  openOfficeWith(received)
  renderApp('/dashboard/receptionist')
  const unread = String(received + 3)
  const bell = await screen.findByRole('button', { name: `Notifications, ${unread} unread` })
  expect(within(bell).getByTitle(unread).textContent).toBe(count)
})

test('a bell without unread notifications shows no number', async () => {
  openOfficeWith(0)
  const { person } = renderApp('/dashboard/receptionist')
  await person.click(await screen.findByRole('button', { name: 'Notifications, 3 unread' }))
  await person.keyboard('{Escape}')
  expect(await screen.findByRole('button', { name: 'Notifications, 0 unread' })).toHaveTextContent(/^$/)
})

// S2.layout.16
test('the full list has pages, and the tips follow the last alert', async () => {
  openOfficeWith(25)
  const { person } = renderApp('/dashboard/receptionist')
  await person.click(await screen.findByRole('button', { name: 'Notifications, 28 unread' }))
  await person.click(await screen.findByRole('button', { name: 'View All Notifications' }))
  const all = within(await dialogOf('All Notifications'))
  expect(await all.findByText('Notice 20.')).toBeInTheDocument()
  expect(all.queryByText('Notice 21.')).not.toBeInTheDocument()
  expect(all.queryByText('Getting started')).not.toBeInTheDocument()
  await person.click(all.getByTitle('2'))
  expect(await all.findByText('Notice 25.')).toBeInTheDocument()
  expect(all.queryByText('Notice 20.')).not.toBeInTheDocument()
  expect(all.getByText('Getting started')).toBeInTheDocument()
})

test("a notification shows its sender's role, one of an older release the name only", async () => {
  const office = openOffice({ user: userOf('reception') })
  const sent = { message: 'Please sign in again.', type: 'info' as const, target_roles: ['reception'] }
  office.answer('GET /api/stream/notifications', () => ({
    notifications: [
      {
        ...sent,
        id: 'n-2',
        sender: 'Administrator',
        senderRole: 'pa',
        createdAt: '2026-11-20T06:31:00.000Z',
      },
      { ...sent, id: 'n-1', sender: 'Anand', createdAt: '2026-11-20T06:30:00.000Z' },
    ],
  }))
  const { person } = renderApp('/dashboard/receptionist')
  await person.click(await screen.findByRole('button', { name: 'Notifications, 5 unread' }))
  expect(await screen.findByText('From Administrator (PA (Personal Assistant))')).toBeInTheDocument()
  expect(screen.getByText('From Anand')).toBeInTheDocument()
})
