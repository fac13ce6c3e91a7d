import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openOffice } from '@/test/office'
import { renderApp } from '@/test/render-app'

const stop = 'POST /api/auth/stop-email-change'

function open(query = '?token=token-of-the-mail', reverted = false) {
  const office = openOffice({ user: null })
  office.answer(stop, () => ({ status: true, reverted }))
  return { office, ...renderApp(`/stop-email-change${query}`) }
}

async function press({ person }: ReturnType<typeof open>) {
  await person.click(await screen.findByRole('button', { name: 'Stop the Change' }))
}

test('opening the link does not stop the change', async () => {
  const view = open()
  expect(await screen.findByRole('heading', { name: 'Stop the change of your email?' })).toBeVisible()
  expect(view.office.requests(stop)).toHaveLength(0)
})

test.each([
  [false, 'The change is stopped'],
  [true, 'Your address is back'],
])('the result distinguishes a reverted change (%s) from a stopped one', async (reverted, heading) => {
  const view = open(undefined, reverted)
  await press(view)
  expect(await screen.findByRole('heading', { name: heading })).toBeVisible()
  expect(screen.getByRole('status')).toHaveTextContent('set a new password')
  expect(view.office.requests(stop)[0]?.body).toEqual({ token: 'token-of-the-mail' })
  await view.person.click(screen.getByRole('button', { name: 'Back to sign in' }))
  await waitFor(() => expect(view.path()).toBe('/login'))
})

test('a link without a token has expired', async () => {
  open('')
  expect(await screen.findByRole('heading', { name: 'This link has expired' })).toBeVisible()
})

test('a used link has expired', async () => {
  const view = open()
  view.office.fail(stop, 400, { message: 'Invalid token', code: 'INVALID_TOKEN' })
  await press(view)
  expect(await screen.findByRole('heading', { name: 'This link has expired' })).toBeVisible()
})

test('any other failure shows an error, and the link still works', async () => {
  const view = open()
  view.office.fail(stop, 503, { message: 'The service is not available.' })
  await press(view)
  expect(await screen.findByText('Failed to stop the change')).toBeInTheDocument()
  view.office.mend(stop)
  await press(view)
  expect(await screen.findByRole('heading', { name: 'The change is stopped' })).toBeVisible()
})
