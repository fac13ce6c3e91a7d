import type { Page } from '@playwright/test'
import { needing, needsSheet } from './attention'
import { fillLine } from './life'
import {
  answer,
  dialog,
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

const lineAt = `${at}?tab=line`

async function openLine(page: Page, places?: number) {
  await fillLine(page, places)
  await ready(page, lineAt)
}

/** Opens the menu of the second place and chooses from it. */
async function choose(page: Page, action: string) {
  await openLine(page)
  await press(page, 'Actions for T-042')
  await page.getByRole('menuitem', { name: action }).click()
  return dialog(page)
}

const free = {
  id: 'consultant-1',
  name: 'CA Zoya Khan',
  specialization: ['GST'],
  isActive: true,
  currentQueue: 0,
  inSession: false,
  totalSessions: 4,
  serves: [],
}
const busy = { ...free, id: 'consultant-2', name: 'CA Kavita Rao', currentQueue: 4, inSession: true }

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
    denial: async (page) => {
      await ready(page, at)
      await press(firstCard(page), 'Deny')
      return dialog(page)
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
      await answer(page, consultants, { consultants: [free, busy] })
      await ready(page, at)
      await firstCard(page).getByRole('combobox').click()
      // Busy consultants are at the end of the list; the keyboard moves there from the first entry.
      await page.keyboard.press('ArrowUp')
      return page.getByTitle(/queue [1-9]/).first()
    },
    chosen: async (page) => {
      await chooseConsultant(page)
      return firstCard(page).getByRole('button', { name: 'Approve', exact: true, disabled: false })
    },
    deciding: async (page) => {
      await hold(page, status)
      await chooseConsultant(page)
      await press(firstCard(page), 'Approve')
      return shows(page, 'Approving...')
    },
    selected: async (page) => {
      await ready(page, at)
      await firstCard(page).waitFor()
      await page.keyboard.press('Control+F8')
      // On a phone no rows are selected.
      return page.locator('.several-decision, .pending-card:not(:has(.pending-check))').first()
    },
    conflict: async (page) => {
      await failWith(page, status, 409, 'Visit is already denied', 'visit_already_decided', {
        status: 'denied',
      })
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
    line: async (page) => {
      await openLine(page)
      return page.getByRole('group', { name: 'Line', exact: true })
    },
    'line-empty': async (page) => {
      await openLine(page, 0)
      return shows(page, 'No visitor is waiting in line')
    },
    'line-error': async (page) => {
      await fail(page, '**/api/visits/line')
      await page.goto(lineAt)
      return shows(page, 'Failed to load the line')
    },
    'line-menu': async (page) => {
      await openLine(page)
      await press(page, 'Actions for T-042')
      return page.getByRole('menuitem', { name: 'Put before...' })
    },
    'line-move': (page) => choose(page, 'Put before...'),
    'line-move-rejected': async (page) => {
      await failWith(
        page,
        '**/api/visits/*/move',
        409,
        'T-043 has been passed 3 times and must be next.',
        'would_bypass',
        { token: 'T-043', times: 3 },
      )
      await openLine(page)
      await page.locator('.place-row').nth(1).focus()
      await page.keyboard.press('Alt+ArrowUp')
      await press(await dialog(page), 'Move')
      return shows(page, /must be next/)
    },
    'line-hold': (page) => choose(page, 'Hold...'),
    'line-transfer': (page) => choose(page, 'Transfer...'),
    'line-pin': (page) => choose(page, 'Pin...'),
    'desk-of-another': async (page) => {
      await openLine(page)
      await press(page, /^Change the desk of CA Zoya/)
      return dialog(page)
    },
    'desk-pinned': async (page) => {
      await openLine(page)
      await press(page, /^Change the desk of CA Zoya/)
      await press(page, 'Off')
      return shows(page, /Where should they go/)
    },
    attention: (page) => needing(page, at),
    'attention-sheet': (page) => needsSheet(page, at),
    closing: async (page) => {
      await ready(page, at)
      await press(page, 'Close the day')
      return dialog(page)
    },
    denied: async (page) => {
      await ready(page, at)
      await page.getByPlaceholder('PA Notes').last().fill('No papers')
      await page.getByRole('button', { name: 'Deny' }).last().click()
      return shows(page, 'Visitor denyed successfully')
    },
  },
}
