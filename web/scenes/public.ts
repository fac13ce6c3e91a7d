import { expect, type Page } from '@playwright/test'
import { monday } from '../e2e/appointment-days'
import { provoke } from '../e2e/faults'
import { answer, dialog, fail, hold, opened, press, failWith, shows, type Screen } from './scene'

async function request(page: Page) {
  // A picture of the form must not depend on which times other pictures have taken.
  await answer(page, '**/api/appointments/slots?*', { days: [], nextFree: null })
  await page.goto('/')
  await page.getByLabel('Name').fill('Asha Rao')
  await page.getByLabel('Phone').fill('9876543210')
  await page.getByLabel('Email').fill('asha@example.in')
  await page.getByLabel('Service').selectOption('GST Registration')
  await page.getByLabel('Preferred Date').fill(monday)
  await page.getByRole('radio', { name: '11:00' }).check({ force: true })
  await press(page, 'Request Appointment')
}

async function signIn(page: Page) {
  await page.goto('/login')
  await page.getByLabel('Email').fill('nobody@baari.example')
  await page.getByLabel('Password').fill('wrong-password')
  await press(page, 'Sign In')
}

async function register(page: Page) {
  await page.goto('/register')
  await page.getByLabel('Full Name').fill('Asha Rao')
  await page.getByLabel('Email').fill('asha@example.in')
  await page.getByLabel('Password').fill('wrong-password')
  await press(page, 'Create Account')
}

const landing: Screen = {
  name: 'landing',
  scenes: {
    page: opened('/'),
    'form-errors': async (page) => {
      await page.goto('/')
      await press(page, 'Request Appointment')
      return shows(page, 'Name is required')
    },
    sending: async (page) => {
      await hold(page, '**/api/appointments')
      await request(page)
      return shows(page, 'Sending...')
    },
    sent: async (page) => {
      const appointment = { service: 'GST Registration', preferredDate: monday, preferredTime: '11:00' }
      await answer(page, '**/api/appointments', { appointment })
      await request(page)
      await expect(page.getByRole('button', { name: 'Request another' })).toBeVisible()
      return page.getByRole('heading', { name: 'Request sent' })
    },
    full: async (page) => {
      const slots = [
        { time: '09:00', state: 'full' },
        { time: '10:00', state: 'full' },
      ]
      await answer(page, '**/api/appointments/slots?*', {
        days: [{ date: monday, open: true, name: '', slots }],
        nextFree: { date: monday, time: '11:00' },
      })
      await page.goto('/')
      await page.getByLabel('Preferred Date').fill(monday)
      const next = page.locator('.af-hint button')
      await expect(next).toBeVisible()
      return next
    },
    failed: async (page) => {
      await fail(page, '**/api/appointments')
      await request(page)
      await expect(page.getByRole('alert')).toBeVisible()
      return page.getByRole('alert')
    },
    notice: async (page) => {
      await page.goto('/')
      await press(page, 'Read the privacy notice')
      return dialog(page)
    },
  },
}

const login: Screen = {
  name: 'sign-in',
  scenes: {
    page: opened('/login'),
    'form-errors': async (page) => {
      await page.goto('/login')
      await press(page, 'Sign In')
      return shows(page, 'Email is required')
    },
    rejected: async (page) => {
      provoke(page, /^401 POST \/api\/auth\/sign-in\/email$/, /^console Error: /)
      await signIn(page)
      return shows(page, 'Invalid email or password')
    },
    busy: async (page) => {
      await hold(page, '**/api/auth/sign-in/email')
      await signIn(page)
      return shows(page, 'Loading...')
    },
  },
}

const registration: Screen = {
  name: 'register',
  scenes: {
    page: opened('/register'),
    roles: async (page) => {
      await page.goto('/register')
      await page.getByLabel('Role').click()
      await expect(page.getByTitle('PA (Personal Assistant)')).toBeVisible()
      return page.getByTitle('PA (Personal Assistant)')
    },
    closed: async (page) => {
      await page.route('**/api/office', async (route) => {
        const response = await route.fetch()
        const office = (await response.json()) as { features: object }
        const features = { ...office.features, registration: 'closed' }
        await route.fulfill({ response, json: { ...office, features } })
      })
      await page.goto('/register')
      return shows(page, 'Registration is closed. Please ask an administrator for an account.')
    },
    busy: async (page) => {
      await hold(page, '**/api/auth/sign-up/email')
      await register(page)
      return shows(page, 'Loading...')
    },
    rejected: async (page) => {
      await failWith(page, '**/api/auth/sign-up/email', 422, 'Password is too common', 'PASSWORD_TOO_COMMON')
      await register(page)
      return shows(page, 'Password is too common')
    },
  },
}

const passwords: Screen[] = [
  {
    name: 'forgot-password',
    scenes: {
      page: opened('/forgot-password'),
      'form-errors': async (page) => {
        await page.goto('/forgot-password')
        await press(page, 'Send Link')
        return shows(page, 'Email is required')
      },
      sent: async (page) => {
        await page.goto('/forgot-password')
        await page.getByLabel('Email').fill('nobody@baari.example')
        await press(page, 'Send Link')
        return shows(page, 'we have sent a link')
      },
    },
  },
  {
    name: 'reset-password',
    scenes: {
      page: opened('/reset-password?token=some-token'),
      'form-errors': async (page) => {
        await page.goto('/reset-password?token=some-token')
        await press(page, 'Set Password')
        return shows(page, 'Password is required')
      },
      'link-ended': opened('/reset-password?error=INVALID_TOKEN'),
    },
  },
  {
    name: 'stop-email-change',
    scenes: {
      page: opened('/stop-email-change?token=some-token'),
      stopped: async (page) => {
        await answer(page, '**/api/auth/stop-email-change', { status: true, reverted: true })
        await page.goto('/stop-email-change?token=some-token')
        await press(page, 'Stop the Change')
        return shows(page, 'Your address is back')
      },
      'link-ended': opened('/stop-email-change'),
    },
  },
]

const others: Screen[] = [
  { name: 'not-found', scenes: { page: opened('/no/such/page') } },
  {
    name: 'debug',
    scenes: {
      page: async (page) => {
        await page.goto('/debug')
        return shows(page, 'Good')
      },
      'service-unavailable': async (page) => {
        await fail(page, '**/api/auth/ok')
        await page.goto('/debug')
        return shows(page, 'Failing')
      },
      answered: async (page) => {
        await page.goto('/debug')
        await press(page, 'Get session')
        return shows(page, 'GET /api/auth/get-session')
      },
    },
  },
]

export const publicScreens: Screen[] = [landing, login, registration, ...passwords, ...others]
