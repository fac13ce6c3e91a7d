import { expect, type Page } from '@playwright/test'
import { answer, fail, hold, pictures } from './studio'

const session = '**/api/auth/get-session'
const home = '/dashboard/receptionist'

/** The person's own account cannot be read, so that what the session says of them stands. */
const account = '**/api/users/u1'

const title = async (page: Page, name: string) => {
  await page.goto(home)
  await expect(page.getByRole('heading', { name, exact: true })).toBeVisible()
}

/** A session as auth answers it, of a person who is not what the desk expects. */
const sessionOf = (person: { role: string; isActive: boolean }) => ({
  session: { id: 's1', token: 't1', userId: 'u1', expiresAt: '2099-01-01T00:00:00Z' },
  user: { id: 'u1', name: 'Meera Joshi', email: 'meera@baari.example', ...person },
})

pictures(
  'gate',
  { at: home },
  {
    verifying: async (page) => {
      await hold(page, session)
      await title(page, 'Verifying your session')
    },
    'authentication-error': async (page) => {
      await fail(page, session)
      await title(page, 'Authentication Error')
    },
    'account-inactive': async (page) => {
      await answer(page, session, sessionOf({ role: 'reception', isActive: false }))
      await fail(page, account)
      await title(page, 'Account Inactive')
    },
    'no-dashboard': async (page) => {
      await answer(page, session, sessionOf({ role: 'gardener', isActive: true }))
      await fail(page, account)
      await title(page, 'No dashboard for this account')
    },
    unauthenticated: async (page) => {
      await page.goto(home)
      await expect(page.getByText('You are not authenticated. Please login to continue.')).toBeVisible()
    },
  },
)

pictures(
  'loading-dashboard',
  { role: 'reception', at: '/dashboard' },
  {
    page: async (page) => {
      await page.clock.install() // the half second before the desk opens does not pass
      await page.goto('/dashboard')
      await expect(page.getByRole('heading', { name: 'Loading Dashboard' })).toBeVisible()
      await page.clock.resume()
    },
  },
)
