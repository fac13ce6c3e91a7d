import { expect, type Page } from '@playwright/test'
import { answer, fail, hold, pictures } from './studio'

const at = '/dashboard/admin'

async function tab(page: Page, name: string) {
  await page.goto(at)
  await page.getByRole('tab', { name }).click()
  await expect(page.getByRole('tabpanel', { name })).toBeVisible()
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click()
const seen = (page: Page, text: string) => expect(page.getByText(text).first()).toBeVisible()
const figures = '**/api/analytics/dashboard'
const today = '**/api/visits/today'
const audit = '**/api/analytics/audit?*'

pictures(
  'admin',
  { role: 'admin', at },
  {
    analytics: (page) => tab(page, 'Analytics'),
    'analytics-loading': async (page) => {
      await hold(page, figures)
      await tab(page, 'Analytics')
    },
    'analytics-error': async (page) => {
      await fail(page, figures)
      await page.goto(at)
      await seen(page, 'Failed to load dashboard statistics')
    },
    visitors: async (page) => {
      await tab(page, 'Visitors')
      await seen(page, 'T-001')
    },
    'visitors-loading': async (page) => {
      await hold(page, today)
      await tab(page, 'Visitors')
    },
    'visitors-empty': async (page) => {
      await answer(page, today, { visits: [] })
      await tab(page, 'Visitors')
    },
    'visitors-error': async (page) => {
      await fail(page, today)
      await tab(page, 'Visitors')
      await seen(page, 'Failed to load dashboard data')
    },
    services: async (page) => {
      await tab(page, 'Services')
      await seen(page, 'ITR Filing')
    },
    'service-added': async (page) => {
      await tab(page, 'Services')
      await press(page, 'Add Service')
      await expect(page.getByRole('dialog')).toBeVisible()
    },
    'service-errors': async (page) => {
      await tab(page, 'Services')
      await press(page, 'Add Service')
      await page.getByRole('dialog').getByRole('button', { name: 'Add Service' }).click()
      await seen(page, 'Name is required')
    },
    staff: async (page) => {
      await tab(page, 'Staff')
      await seen(page, 'Kavita Rao')
    },
    'staff-added': async (page) => {
      await tab(page, 'Staff')
      await press(page, 'Add Staff Member')
      await expect(page.getByRole('dialog')).toBeVisible()
    },
    'audit-before': async (page) => {
      await tab(page, 'Audit Trail')
      await seen(page, 'No audit records found. Apply filters and click Load Audit Trail.')
    },
    audit: async (page) => {
      await tab(page, 'Audit Trail')
      await press(page, 'Load Audit Trail')
      await expect(
        page.getByRole('group', { name: 'Audit records' }).getByText('created').first(),
      ).toBeVisible()
    },
    'audit-error': async (page) => {
      await fail(page, audit)
      await tab(page, 'Audit Trail')
      await press(page, 'Load Audit Trail')
      await seen(page, 'Failed to load audit trail')
    },
  },
)
