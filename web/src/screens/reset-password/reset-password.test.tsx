import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openOffice } from '@/test/office'
import { renderApp } from '@/test/render-app'

const reset = 'POST /api/auth/reset-password'

function open(query = '?token=token-of-the-mail') {
  const office = openOffice({ user: null })
  office.answer(reset, () => ({ status: true }))
  return { office, ...renderApp(`/reset-password${query}`) }
}

async function submit({ person }: ReturnType<typeof open>, password: string) {
  const field = await screen.findByLabelText('New password')
  await person.clear(field)
  if (password) await person.type(field, password)
  await person.click(screen.getByRole('button', { name: 'Set Password' }))
}

test("the link's token sets the new password, and the sign-in opens", async () => {
  const view = open()
  await submit(view, 'secret2')
  expect(await screen.findByText('Password set. Please sign in.')).toBeInTheDocument()
  await waitFor(() => expect(view.path()).toBe('/login'))
  expect(view.office.requests(reset)[0]?.body).toEqual({ newPassword: 'secret2', token: 'token-of-the-mail' })
})

test('a short password is rejected under the field', async () => {
  const view = open()
  await submit(view, '12345')
  await waitFor(() =>
    expect(screen.getByLabelText('New password')).toHaveAccessibleDescription(
      'Password must be at least 6 characters',
    ),
  )
  expect(view.office.requests(reset)).toHaveLength(0)
})

test.each(['', '?error=INVALID_TOKEN'])('an expired link (%s) offers a new one', async (query) => {
  const view = open(query)
  expect(await screen.findByRole('heading', { name: 'This link has expired' })).toBeVisible()
  await view.person.click(screen.getByRole('button', { name: 'Request a new link' }))
  await waitFor(() => expect(view.path()).toBe('/forgot-password'))
})

test('a link that was used before the password is sent offers a new one', async () => {
  const view = open()
  view.office.fail(reset, 400, { message: 'Invalid token', code: 'INVALID_TOKEN' })
  await submit(view, 'secret2')
  expect(await screen.findByRole('heading', { name: 'This link has expired' })).toBeVisible()
})

test('any other failure shows an error, and the link still works', async () => {
  const view = open()
  view.office.fail(reset, 503, { message: 'The service is not available.' })
  await submit(view, 'secret2')
  expect(await screen.findByText('Failed to set the password')).toBeInTheDocument()
  view.office.mend(reset)
  await submit(view, 'secret2')
  await waitFor(() => expect(view.path()).toBe('/login'))
})
