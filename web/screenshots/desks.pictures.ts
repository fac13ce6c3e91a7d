import { expect, type Page } from '@playwright/test'
import { answer, fail, hold, pictures } from './studio'

const today = '**/api/visits/today'
const pending = '**/api/visits/pending-approval'
const consultants = '**/api/users/consultants'
const services = '**/api/services'
const stream = '**/api/stream?*'

const reception = '/dashboard/receptionist'
const pa = '/dashboard/pa'
const consultant = '/dashboard/consultant'

const press = (page: Page, name: string | RegExp) =>
  page
    .getByRole('button', { name, exact: typeof name === 'string' })
    .first()
    .click()
const seen = (page: Page, text: string | RegExp) => expect(page.getByText(text).first()).toBeVisible()

/** The desk with its lists and its stream. */
async function ready(page: Page, at: string) {
  await page.goto(at)
  await expect(page.getByText('Connected', { exact: true })).toBeVisible()
  await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0)
}

/** The stream is away for longer than a series of reconnects takes. */
async function loseConnection(page: Page, at: string) {
  await page.clock.install()
  await page.route(stream, (route) => route.abort())
  await page.goto(at)
  const bar = page.getByText('Real-time updates are unavailable. Please refresh the page.').first()
  await expect(async () => {
    await page.clock.runFor(20_000)
    await expect(bar).toBeVisible({ timeout: 500 })
  }).toPass()
  await page.clock.resume()
}

const dialogs = {
  notifications: async (page: Page) => {
    await ready(page, reception)
    await press(page, /^Notifications,/)
    await seen(page, 'First run')
  },
  'all-notifications': async (page: Page) => {
    await ready(page, reception)
    await press(page, /^Notifications,/)
    await press(page, 'View All Notifications')
    await seen(page, 'All Notifications')
  },
  profile: async (page: Page) => {
    await ready(page, reception)
    await press(page, /Profile$/)
    await seen(page, 'Edit Profile')
  },
  'edit-profile': async (page: Page) => {
    await ready(page, reception)
    await press(page, /Profile$/)
    await press(page, 'Edit Profile')
    await expect(page.getByRole('dialog').getByLabel('Name')).toBeVisible()
  },
  'account-settings': async (page: Page) => {
    await ready(page, reception)
    await press(page, /Profile$/)
    await press(page, 'Account Settings')
    await seen(page, 'New email')
  },
  'send-notification': async (page: Page) => {
    await ready(page, reception)
    await press(page, 'Send notification')
    await expect(page.getByRole('dialog').getByLabel('Message')).toBeVisible()
  },
}

async function createToken(page: Page) {
  await ready(page, reception)
  await page.getByLabel('Visitor Name').fill('Asha Kulkarni')
  await page.getByLabel('Phone Number').fill('9876543210')
  await page.getByLabel('Service Required').click()
  await page.getByTitle('GST Registration').click()
  await press(page, 'Create Token')
}

pictures(
  'reception',
  { role: 'reception', at: reception },
  {
    desk: (page) => ready(page, reception),
    loading: async (page) => {
      await hold(page, today, services)
      await page.goto(reception)
      await seen(page, 'Connected')
    },
    empty: async (page) => {
      await answer(page, today, { visits: [] })
      await ready(page, reception)
      await seen(page, 'No visitors registered today')
    },
    error: async (page) => {
      await fail(page, today, services)
      await page.goto(reception)
      await seen(page, 'Failed to load dashboard data')
    },
    'lost-connection': (page) => loseConnection(page, reception),
    'form-errors': async (page) => {
      await ready(page, reception)
      await press(page, 'Create Token')
      await seen(page, 'Name is required')
    },
    'services-open': async (page) => {
      await ready(page, reception)
      await page.getByLabel('Service Required').click()
      await expect(page.getByTitle('ITR Filing')).toBeVisible()
    },
    'token-created': async (page) => {
      await createToken(page)
      await seen(page, /created successfully/)
    },
    'token-failed': async (page) => {
      await fail(page, '**/api/visits')
      await createToken(page)
      await seen(page, 'Failed to create visitor token')
    },
    ...dialogs,
  },
)

const firstCard = (page: Page) => page.getByRole('article').first()

async function chooseConsultant(page: Page) {
  await ready(page, pa)
  await firstCard(page).getByRole('combobox').click()
  await page
    .getByTitle(/queue 0/)
    .first()
    .click()
}

pictures(
  'pa',
  { role: 'pa', at: pa },
  {
    desk: (page) => ready(page, pa),
    loading: async (page) => {
      await hold(page, pending, consultants, '**/api/analytics/dashboard')
      await page.goto(pa)
      await seen(page, 'Connected')
    },
    empty: async (page) => {
      await answer(page, pending, { visits: [] })
      await answer(page, consultants, { consultants: [] })
      await ready(page, pa)
      await seen(page, 'No pending approvals')
    },
    error: async (page) => {
      await fail(page, pending, consultants, '**/api/analytics/dashboard')
      await page.goto(pa)
      await seen(page, 'Failed to load dashboard data')
    },
    'lost-connection': (page) => loseConnection(page, pa),
    chosen: chooseConsultant,
    conflict: async (page) => {
      await page.route('**/api/visits/*/status', (route) =>
        route.fulfill({
          status: 409,
          json: {
            error: 'This visitor was already denied by a colleague.',
            code: 'visit_already_decided',
            request_id: 'r1',
          },
        }),
      )
      await chooseConsultant(page)
      await firstCard(page).getByRole('button', { name: 'Approve' }).click()
      await seen(page, 'Failed to approve visitor')
    },
    denied: async (page) => {
      await ready(page, pa)
      await page.getByRole('button', { name: 'Deny' }).last().click()
      await seen(page, 'Visitor denyed successfully')
    },
  },
)

pictures(
  'consultant',
  { role: 'consultant', at: consultant },
  {
    desk: (page) => ready(page, consultant),
    loading: async (page) => {
      await hold(page, today)
      await page.goto(consultant)
      await seen(page, 'Connected')
    },
    empty: async (page) => {
      await answer(page, today, { visits: [] })
      await ready(page, consultant)
      await seen(page, 'No visitors in queue')
    },
    error: async (page) => {
      await fail(page, today)
      await page.goto(consultant)
      await seen(page, 'Failed to load consultant data')
    },
    'lost-connection': (page) => loseConnection(page, consultant),
  },
)
