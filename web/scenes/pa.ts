import type { Page } from '@playwright/test'
import {
  answer,
  fail,
  hold,
  loading,
  loseConnection,
  press,
  ready,
  failWith,
  shows,
  type Screen,
} from './scene'

const at = '/dashboard/pa'
const pending = '**/api/visits/pending-approval'
const consultants = '**/api/users/consultants'
const figures = '**/api/analytics/dashboard'
const status = '**/api/visits/*/status'

const firstCard = (page: Page) => page.getByRole('article').first()

async function chooseConsultant(page: Page) {
  await ready(page, at)
  await firstCard(page).getByRole('combobox').click()
  await page
    .getByTitle(/queue 0/)
    .first()
    .click()
}

export const pa: Screen = {
  name: 'pa',
  role: 'pa',
  scenes: {
    desk: async (page) => {
      await ready(page, at)
      return page.getByRole('group', { name: 'Pending Approvals' })
    },
    loading: async (page) => {
      await hold(page, pending, consultants, figures)
      await page.goto(at)
      return loading(page)
    },
    empty: async (page) => {
      await answer(page, pending, { visits: [] })
      await answer(page, consultants, { consultants: [] })
      await ready(page, at)
      return shows(page, 'No pending approvals')
    },
    error: async (page) => {
      await fail(page, pending, consultants, figures)
      await page.goto(at)
      await shows(page, 'Failed to load dashboard data')
      return page.getByRole('button', { name: 'Try again' }).first()
    },
    'lost-connection': (page) => loseConnection(page, at),
    consultants: async (page) => {
      await ready(page, at)
      await firstCard(page).getByRole('combobox').click()
      return page.getByTitle(/queue 0/).first()
    },
    'busy-consultants': async (page) => {
      await ready(page, at)
      await page.getByRole('switch').click()
      await firstCard(page).getByRole('combobox').click()
      // Busy consultants are at the end of the list; the keyboard moves there from the first entry.
      await page.keyboard.press('ArrowUp')
      return page.getByTitle(/queue [1-9]/).first()
    },
    chosen: async (page) => {
      await chooseConsultant(page)
      return firstCard(page).getByRole('button', { name: 'Approve', disabled: false })
    },
    deciding: async (page) => {
      await hold(page, status)
      await chooseConsultant(page)
      await press(firstCard(page), 'Approve')
      return shows(page, 'Approving...')
    },
    conflict: async (page) => {
      await failWith(page, status, 409, 'This visitor was already denied by a colleague.')
      await chooseConsultant(page)
      await press(firstCard(page), 'Approve')
      return shows(page, 'Failed to approve visitor')
    },
    'decided-elsewhere': async (page) => {
      await ready(page, at)
      await firstCard(page).getByPlaceholder('PA Notes').fill('Ask for the challan of the second quarter')
      await answer(page, pending, { visits: [] })
      await page.reload()
      return shows(page, /was already approved or denied/)
    },
    denied: async (page) => {
      await ready(page, at)
      await page.getByRole('button', { name: 'Deny' }).last().click()
      return shows(page, 'Visitor denyed successfully')
    },
  },
}
