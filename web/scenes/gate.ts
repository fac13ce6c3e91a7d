import { expect, type Page } from '@playwright/test'
import { answer, fail, hold, shows, type Screen } from './scene'

const session = '**/api/auth/get-session'
const home = '/dashboard/receptionist'

/** The user's account cannot be read, so the session's data are used. */
const account = '**/api/users/u1'

async function titled(page: Page, name: string) {
  await page.goto(home)
  const title = page.getByRole('heading', { name, exact: true })
  await expect(title).toBeVisible()
  return title
}

/** A session as auth returns it, of a user that the dashboard rejects. */
const sessionOf = (person: { role: string; isActive: boolean }) => ({
  session: { id: 's1', token: 't1', userId: 'u1', expiresAt: '2099-01-01T00:00:00Z' },
  user: { id: 'u1', name: 'Meera Joshi', email: 'meera@baari.example', ...person },
})

/** The states between the sign-in and a dashboard. */
export const gateScreens: Screen[] = [
  {
    name: 'gate',
    scenes: {
      verifying: async (page) => {
        await hold(page, session)
        return titled(page, 'Verifying your session')
      },
      'authentication-error': async (page) => {
        await fail(page, session)
        return titled(page, 'Authentication Error')
      },
      'account-inactive': async (page) => {
        await answer(page, session, sessionOf({ role: 'reception', isActive: false }))
        await fail(page, account)
        return titled(page, 'Account Inactive')
      },
      waiting: async (page) => {
        const { session: kept, user } = sessionOf({ role: 'reception', isActive: false })
        await answer(page, session, { session: kept, user })
        await answer(page, account, { data: { ...user, awaiting: true } })
        return titled(page, 'Waiting for approval')
      },
      'no-dashboard': async (page) => {
        await answer(page, session, sessionOf({ role: 'x', isActive: true }))
        await fail(page, account)
        // These calls would reveal that there is no such session.
        await hold(page, '**/api/stream?*', '**/api/stream/*', '**/api/due-dates*', '**/api/services')
        return titled(page, 'No dashboard for this account')
      },
      unauthenticated: async (page) => {
        await page.goto(home)
        return shows(page, 'You are not authenticated. Please login to continue.')
      },
    },
  },
  {
    name: 'loading-dashboard',
    role: 'reception',
    scenes: {
      page: async (page) => {
        await page.addInitScript(() => {
          // Stops the half second before the redirect.
          const later = window.setTimeout.bind(window)
          window.setTimeout = ((act: () => void, ms?: number) =>
            ms === 500 ? 0 : later(act, ms)) as typeof window.setTimeout
        })
        await page.goto('/dashboard')
        const title = page.getByRole('heading', { name: 'Loading Dashboard' })
        await expect(title).toBeVisible()
        return title
      },
    },
  },
]
