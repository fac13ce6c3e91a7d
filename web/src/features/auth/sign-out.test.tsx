import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { userOf } from '@/test/fixtures'
import { openOffice } from '@/test/office'
import { renderApp } from '@/test/render-app'

const landing = vi.hoisted(() => Promise.withResolvers<unknown>())

vi.mock('@/screens/landing/landing', async (importOriginal) => {
  await landing.promise
  return importOriginal()
})

// S2.layout.11-12
test('signing out opens the landing page even when it loads slowly', async () => {
  const office = openOffice({ user: userOf('pa') })
  const { person, path } = renderApp('/dashboard/pa')
  await person.click(await screen.findByRole('button', { name: /Profile$/ }))
  await person.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Sign Out' }))

  await waitFor(() => expect(office.requests('POST /api/auth/sign-out')).toHaveLength(1))
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(path()).not.toBe('/login')

  landing.resolve(null)
  await waitFor(() => expect(path()).toBe('/'))
  expect(screen.queryByText(/You are not authenticated/)).toBeNull()
})
