import { expect, type Page } from '@playwright/test'
import { fail, hold, opened, pictures } from './studio'

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

async function request(page: Page) {
  await page.goto('/')
  await page.getByLabel('Name').fill('Asha Rao')
  await page.getByLabel('Phone').fill('9876543210')
  await page.getByLabel('Email').fill('asha@example.in')
  await page.getByLabel('Service').selectOption('GST Registration')
  await page
    .getByLabel('Preferred Date')
    .fill((await page.getByLabel('Preferred Date').getAttribute('min')) ?? '')
  await page.getByRole('radio', { name: '11:00' }).check({ force: true })
  await press(page, 'Request Appointment')
}

pictures(
  'landing',
  { at: '/' },
  {
    page: opened,
    'form-errors': async (page) => {
      await page.goto('/')
      await press(page, 'Request Appointment')
      await expect(page.getByText('Name is required')).toBeVisible()
    },
    sent: async (page) => {
      await request(page)
      await expect(page.getByText('This is your counterfoil.')).toBeVisible()
    },
    failed: async (page) => {
      await fail(page, '**/api/appointments')
      await request(page)
      await expect(page.getByRole('alert')).toBeVisible()
    },
    notice: async (page) => {
      await page.goto('/')
      await press(page, 'Read the privacy notice')
      await expect(page.getByRole('dialog')).toBeVisible()
    },
  },
)

pictures(
  'sign-in',
  { at: '/login' },
  {
    page: opened,
    'form-errors': async (page) => {
      await page.goto('/login')
      await press(page, 'Sign In')
      await expect(page.getByText('Email is required')).toBeVisible()
    },
    refused: async (page) => {
      await page.goto('/login')
      await page.getByLabel('Email').fill('nobody@baari.example')
      await page.getByLabel('Password').fill('wrong-password')
      await press(page, 'Sign In')
      await expect(page.getByText('Invalid email or password')).toBeVisible()
    },
    busy: async (page) => {
      await hold(page, '**/api/auth/sign-in/email')
      await page.goto('/login')
      await page.getByLabel('Email').fill('nobody@baari.example')
      await page.getByLabel('Password').fill('some-password')
      await press(page, 'Sign In')
      await expect(page.getByRole('button', { name: 'Loading...' })).toBeVisible()
    },
  },
)

pictures('register', { at: '/register' }, { page: opened })

pictures(
  'forgot-password',
  { at: '/forgot-password' },
  {
    page: opened,
    sent: async (page) => {
      await page.goto('/forgot-password')
      await page.getByLabel('Email').fill('nobody@baari.example')
      await press(page, 'Send Link')
      await expect(page.getByText('a link is on its way')).toBeVisible()
    },
  },
)

pictures('reset-password', { at: '/reset-password?token=some-token' }, { page: opened })
pictures('reset-password-link-ended', { at: '/reset-password?error=INVALID_TOKEN' }, { page: opened })
pictures('not-found', { at: '/no/such/page' }, { page: opened })
pictures(
  'debug',
  { at: '/debug' },
  {
    page: async (page) => {
      await page.goto('/debug')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    },
  },
)
