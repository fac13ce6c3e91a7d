import { expect, type Locator, type Page } from '@playwright/test'
import { adminPlaces } from '../e2e/admin-places'
import { provoke } from '../e2e/faults'
import { answer, dialog, fail, hold, loading, press, ready, failWith, shows, type Screen } from './scene'

const at = '/dashboard/admin'
const figures = '**/api/analytics/dashboard'
const today = '**/api/visits/today'
const audit = '**/api/analytics/audit?*'
const services = '**/api/services'
const users = '**/api/users?*'
const ofConsultant = '**/api/analytics/consultants/*'

type Tab = 'visitors' | 'services' | 'staff' | 'audit'
const address = (tab: Tab) => `${at}?tab=${tab}`

async function records(page: Page, name: string): Promise<Locator> {
  const list = page.getByRole('group', { name, exact: true })
  await expect(list).toBeVisible()
  return list
}

const score = (more: object) => ({
  service: null,
  hour: null,
  kind: null,
  n: 412,
  censored: 30,
  atOnce: 120,
  mae: 11.96,
  bias: 1.2,
  rmse: 17,
  coverage: 0.812,
  late5: 0.071,
  width: 35.4,
  pinball: { p10: 2, p50: 6, p90: 3 },
  ...more,
})

const unknown = { mae: null, bias: null, rmse: null, coverage: null, late5: null, width: null, pinball: null }

const kept = {
  from: '2026-10-21T05:00:00.000Z',
  to: '2026-11-20T05:00:00.000Z',
  total: score({}),
  kinds: [score({ kind: 'join' }), score({ kind: 'new', n: 8, ...unknown })],
  services: ['Audit Services', 'GST Return Filing', 'Notice of the Income Tax Department'].map(
    (name, index) =>
      score({
        service: { id: `service-${index}`, name },
        n: 40 * (index + 1),
        coverage: 0.74 + index * 0.05,
      }),
  ),
  hours: [9, 10, 11, 12, 13, 14, 15, 16].map((hour) => score({ hour, n: 50, mae: 8 + hour / 4 })),
  rivals: [
    { name: 'fixed', mae: 20.6 },
    { name: 'place', mae: 18.5 },
  ],
  calibration: [
    { level: 0.1, share: 0.12 },
    { level: 0.5, share: 0.49 },
    { level: 0.9, share: 0.88 },
  ],
}

const nothingKept = {
  ...kept,
  total: score({ n: 0, ...unknown }),
  kinds: [],
  services: [],
  hours: [],
  rivals: kept.rivals.map(({ name }) => ({ name, mae: null })),
  calibration: [],
}

/** The history of the visitor who came first today. */
async function history(page: Page) {
  await ready(page, address('visitors'))
  await page
    .getByRole('button', { name: /^History of/ })
    .last()
    .click()
  return dialog(page)
}

const overview: Screen = {
  name: 'admin',
  role: 'admin',
  scenes: {
    analytics: async (page) => {
      await ready(page, at)
      return page.getByRole('img', { name: /^Visitors by hour of arrival/ })
    },
    'analytics-loading': async (page) => {
      await hold(page, figures)
      await page.goto(at)
      return shows(page, 'Connected')
    },
    'analytics-error': async (page) => {
      await fail(page, figures)
      await page.goto(at)
      return shows(page, 'Failed to load dashboard statistics')
    },
    exporting: async (page) => {
      await hold(page, '**/api/analytics/export*')
      await ready(page, at)
      await press(page, 'Export Visitor Data')
      return page.getByRole('progressbar')
    },
    'export-failed': async (page) => {
      await fail(page, '**/api/analytics/export*')
      await ready(page, at)
      await press(page, 'Export Visitor Data')
      return shows(page, 'Failed to export data')
    },
    accuracy: async (page) => {
      await answer(page, '**/api/visits/accuracy', { accuracy: kept })
      await ready(page, adminPlaces.accuracy)
      return page.getByRole('img', { name: /^Share of the visitors called/ })
    },
    reports: async (page) => {
      await ready(page, adminPlaces.reports)
      await records(page, 'Wait by service')
      return page.getByRole('region', { name: 'Arrivals by weekday and hour' })
    },
    'reports-error': async (page) => {
      await fail(page, '**/api/analytics/period?*')
      await fail(page, '**/api/analytics/register?*')
      await page.goto(adminPlaces.reports)
      return shows(page, 'Failed to load the visitor register')
    },
    'accuracy-empty': async (page) => {
      await answer(page, '**/api/visits/accuracy', { accuracy: nothingKept })
      await ready(page, adminPlaces.accuracy)
      return shows(page, 'Not enough history yet')
    },
    'accuracy-error': async (page) => {
      await fail(page, '**/api/visits/accuracy')
      await page.goto(adminPlaces.accuracy)
      return shows(page, 'Failed to load the accuracy of the forecasts')
    },
    visitors: async (page) => {
      await ready(page, address('visitors'))
      return records(page, "Today's visitors")
    },
    'visitors-loading': async (page) => {
      await hold(page, today)
      await page.goto(address('visitors'))
      return loading(page)
    },
    'visitors-empty': async (page) => {
      await answer(page, today, { visits: [] })
      await ready(page, address('visitors'))
      return shows(page, 'No visitors registered today')
    },
    'visitors-none-found': async (page) => {
      await ready(page, address('visitors'))
      await page.getByRole('searchbox').fill('no visitor has this name')
      return shows(page, 'No visitors today match these filters')
    },
    'visitors-error': async (page) => {
      await fail(page, today)
      await page.goto(address('visitors'))
      return shows(page, 'Failed to load dashboard data')
    },
    history: async (page) => {
      const drawer = await history(page)
      await expect(drawer.getByRole('listitem').first()).toBeVisible()
      return drawer
    },
    'history-error': async (page) => {
      await fail(page, audit)
      await history(page)
      return shows(page, 'Failed to load the history of this visit')
    },
  },
}

const directory: Screen = {
  name: 'admin-directory',
  role: 'admin',
  scenes: {
    services: async (page) => {
      await ready(page, address('services'))
      return records(page, 'Services')
    },
    'services-loading': async (page) => {
      await hold(page, services)
      await page.goto(address('services'))
      return loading(page)
    },
    'services-error': async (page) => {
      await fail(page, services)
      await page.goto(address('services'))
      return shows(page, 'Failed to load services')
    },
    'service-added': async (page) => {
      await ready(page, address('services'))
      await press(page, 'Add Service')
      return dialog(page)
    },
    'service-errors': async (page) => {
      await ready(page, address('services'))
      await press(page, 'Add Service')
      await press(await dialog(page), 'Add Service')
      return shows(page, 'Name is required')
    },
    'service-edited': async (page) => {
      await ready(page, address('services'))
      await press(page, 'Edit ITR Filing')
      return dialog(page)
    },
    staff: async (page) => {
      await ready(page, address('staff'))
      return records(page, 'Staff')
    },
    skills: async (page) => {
      await ready(page, address('staff'))
      await press(page, 'Skills')
      await press(page, 'Fill from specializations')
      return dialog(page)
    },
    'staff-loading': async (page) => {
      await hold(page, users)
      await page.goto(address('staff'))
      return loading(page)
    },
    'staff-error': async (page) => {
      await fail(page, users)
      await page.goto(address('staff'))
      return shows(page, 'Failed to load dashboard data')
    },
    'staff-added': async (page) => {
      await ready(page, address('staff'))
      await press(page, 'Add Staff Member')
      return dialog(page)
    },
    'staff-errors': async (page) => {
      await ready(page, address('staff'))
      await press(page, 'Add Staff Member')
      await press(await dialog(page), 'Add Staff Member')
      return shows(page, 'Name is required')
    },
    'staff-invited': async (page) => {
      const url = 'https://office.example/reset-password?token=some-token-of-an-invitation'
      await page.route('**/api/users', (route) =>
        route.request().method() === 'POST'
          ? route.fulfill({ json: { data: {}, invite_url: url } })
          : route.fallback(),
      )
      await ready(page, address('staff'))
      await press(page, 'Add Staff Member')
      const form = await dialog(page)
      await form.getByLabel('Name').fill('Arjun Nair')
      await form.getByLabel('Email').fill('arjun@baari.example')
      await press(form, 'Add Staff Member')
      return shows(page, /^Arjun Nair can set a password with this link/)
    },
    'staff-rejected': async (page) => {
      provoke(page, /^409 POST \/api\/users$/)
      await page.route('**/api/users', (route) =>
        route.request().method() === 'POST'
          ? route.fulfill({
              status: 409,
              json: {
                error: 'User already exists. Use another email.',
                code: 'USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL',
              },
            })
          : route.fallback(),
      )
      await ready(page, address('staff'))
      await press(page, 'Add Staff Member')
      const form = await dialog(page)
      await form.getByLabel('Name').fill('Arjun Nair')
      await form.getByLabel('Email').fill('arjun@baari.example')
      await press(form, 'Add Staff Member')
      return shows(page, 'Failed to save staff member')
    },
    'staff-edited': async (page) => {
      await ready(page, address('staff'))
      await press(page, /^Edit .*Rao$/)
      return dialog(page)
    },
    'staff-menu': async (page) => {
      await ready(page, address('staff'))
      await press(page, /^Actions for .*Rao$/)
      return shows(page, 'Desk number...')
    },
    'desk-number': async (page) => {
      await ready(page, address('staff'))
      await press(page, /^Actions for .*Rao$/)
      await page.getByRole('menuitem', { name: 'Desk number...' }).click()
      return dialog(page)
    },
  },
}

const trail: Screen = {
  name: 'admin-audit',
  role: 'admin',
  scenes: {
    before: async (page) => {
      await ready(page, address('audit'))
      return shows(page, 'No audit records found. Apply filters and click Load Audit Trail.')
    },
    records: async (page) => {
      await ready(page, `${address('audit')}&page=1`)
      return (await records(page, 'Audit records')).getByText('created').first()
    },
    opened: async (page) => {
      await ready(page, `${address('audit')}&page=1`)
      const list = await records(page, 'Audit records')
      await list.getByText('Changes').first().click()
      const changes = list.locator('details[open]')
      await expect(changes).toBeVisible()
      return changes
    },
    loading: async (page) => {
      await hold(page, audit)
      await ready(page, address('audit'))
      await press(page, 'Load Audit Trail')
      await shows(page, 'Loading...')
      return loading(page)
    },
    error: async (page) => {
      await fail(page, audit)
      await ready(page, address('audit'))
      await press(page, 'Load Audit Trail')
      await shows(page, 'Failed to load audit trail')
      return page.getByRole('button', { name: 'Try again' })
    },
  },
}

async function figuresOf(page: Page, tab: 'services' | 'staff') {
  await ready(page, address(tab))
  await page.locator('.record-link').first().click()
  await expect(page.getByRole('link', { name: /^Back to / })).toBeVisible()
}

const pages: Screen = {
  name: 'admin-figures',
  role: 'admin',
  scenes: {
    consultant: async (page) => {
      await figuresOf(page, 'staff')
      return shows(page, 'Day by day')
    },
    service: async (page) => {
      await figuresOf(page, 'services')
      return shows(page, 'Day by day')
    },
    loading: async (page) => {
      await hold(page, ofConsultant)
      await figuresOf(page, 'staff')
      return loading(page)
    },
    error: async (page) => {
      await failWith(page, ofConsultant, 503, 'The service is not available. Please try again.')
      await figuresOf(page, 'staff')
      return shows(page, 'Failed to load the figures')
    },
  },
}

export const adminScreens: Screen[] = [overview, directory, trail, pages]
