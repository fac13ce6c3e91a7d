import { screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { pageOffice } from '@/features/office/page-office'
import { openOffice } from '@/test/office'
import { renderApp } from '@/test/render-app'
import { server } from '@/test/server'

test('while registration is closed, the form is disabled below the reason', async () => {
  const office = openOffice({ user: null })
  const document = pageOffice()
  const features = { ...document.features, registration: 'closed' }
  server.use(http.get('*/api/office', () => HttpResponse.json({ ...document, features })))
  const { person } = renderApp('/register')
  const reason = await screen.findByText(
    'Registration is closed. Please ask an administrator for an account.',
  )
  for (const label of ['Full Name', 'Email', 'Password', 'Role']) {
    const field = screen.getByLabelText(label)
    expect(field).toBeDisabled()
    expect(reason.compareDocumentPosition(field)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  }
  const create = screen.getByRole('button', { name: 'Create Account' })
  await waitFor(() => expect(create).toBeDisabled())
  await person.click(create)
  expect(office.requests('POST /api/auth/sign-up/email')).toHaveLength(0)
  expect(screen.getByRole('link', { name: 'Already have an account? Sign in' })).toBeVisible()
})
