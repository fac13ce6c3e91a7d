import { screen, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { dialogOf } from '@/test/dialog-of'
import { userOf } from '@/test/fixtures'
import { openOffice } from '@/test/office'
import { renderApp } from '@/test/render-app'
import { server } from '@/test/server'

const notify = 'POST /api/stream/notify'

async function send() {
  const office = openOffice({ user: userOf('reception') })
  office.answer(notify, () => ({ delivered: 1 }))
  const view = renderApp('/dashboard/receptionist')
  await view.person.click(await screen.findByRole('button', { name: /^Notifications, / }))
  await view.person.click(await screen.findByRole('button', { name: 'Send notification' }))
  await view.person.type(await screen.findByLabelText('Message'), 'Tea is ready')
  const dialog = await dialogOf('Send notification')
  const press = () => view.person.click(within(dialog).getByRole('button', { name: 'Send notification' }))
  return { office, press }
}

// S7.stream.03-04
test('a notification is sent with message, type and roles; the defaults are info and all roles', async () => {
  const { office, press } = await send()
  await press()
  expect(await screen.findByText('Notification sent')).toBeInTheDocument()
  expect(office.requests(notify)[0]?.body).toEqual({ message: 'Tea is ready', type: 'info' })
})

// S7.stream.06
test.each([
  [
    'an error response',
    () => HttpResponse.json({ error: 'Too many', code: 'rate_limited' }, { status: 429 }),
  ],
  ['a network failure', () => HttpResponse.error()],
])('%s shows Failed to send notification and keeps the input', async (_what, answer) => {
  const { press } = await send()
  server.use(http.post('*/api/stream/notify', answer))
  await press()
  expect(await screen.findByText('Failed to send notification')).toBeInTheDocument()
  expect(screen.getByLabelText('Message')).toHaveValue('Tea is ready')
})
