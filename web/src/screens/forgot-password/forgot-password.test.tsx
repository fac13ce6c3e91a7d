import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openOffice } from '@/test/office'
import { renderApp } from '@/test/render-app'

const request = 'POST /api/auth/request-password-reset'

function open(path = '/forgot-password') {
  const office = openOffice({ user: null })
  office.answer(request, () => ({ status: true }))
  return { office, ...renderApp(path) }
}

async function submit({ person }: ReturnType<typeof open>, email: string) {
  const field = await screen.findByLabelText('Email')
  if (email) await person.type(field, email)
  await person.click(screen.getByRole('button', { name: 'Send Link' }))
}

test('the sign-in screen links to this one and back', async () => {
  const { person, path } = open('/login')
  await person.click(await screen.findByRole('link', { name: 'Forgot password?' }))
  expect(await screen.findByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
  expect(path()).toBe('/forgot-password')
  await person.click(screen.getByRole('link', { name: 'Back to sign in' }))
  await waitFor(() => expect(path()).toBe('/login'))
})

test('the request names the page for a new password', async () => {
  const view = open()
  await submit(view, 'rekha@lekha.example')
  expect(await screen.findByRole('status')).toHaveTextContent(
    'If rekha@lekha.example has an account, we have sent a link.',
  )
  expect(view.office.requests(request)[0]?.body).toEqual({
    email: 'rekha@lekha.example',
    redirectTo: '/reset-password',
  })
})

test.each([
  ['', 'Email is required'],
  ['rekha', 'Please enter a valid email address'],
])("'%s' is rejected under the field: %s", async (email, sentence) => {
  const view = open()
  await submit(view, email)
  await waitFor(() => expect(screen.getByLabelText('Email')).toHaveAccessibleDescription(sentence))
  expect(view.office.requests(request)).toHaveLength(0)
})

test('a link that cannot be mailed shows an error and keeps the form', async () => {
  const view = open()
  view.office.fail(request, 400, { message: "Reset password isn't enabled", code: 'RESET_PASSWORD_DISABLED' })
  await submit(view, 'rekha@lekha.example')
  expect(await screen.findByText('Failed to send the link')).toBeInTheDocument()
  expect(screen.getByText("Reset password isn't enabled")).toBeInTheDocument()
  await waitFor(() => expect(screen.getByRole('button', { name: 'Send Link' })).toBeEnabled())
})
