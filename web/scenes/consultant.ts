import { expect, type Page } from '@playwright/test'
import { fillLine, visit } from './life'
import {
  answer,
  dialog,
  fail,
  hold,
  loading,
  loseConnection,
  press,
  ready,
  shows,
  type Screen,
} from './scene'

const at = '/dashboard/consultant'
const today = '**/api/visits/today'

/** The desk with a visitor who is called to it. */
async function withCall(page: Page) {
  await page.route(today, async (route) => {
    const office = await route.fetch()
    const { visits } = (await office.json()) as { visits: Visit[] }
    const mine = visits.find(({ status }) => status === 'in-session')
    const { assignedConsultant, assignedConsultantId } = mine ?? {}
    const called = visit(61, 'called', { assignedConsultant, assignedConsultantId, phone: '9876543210' })
    const held = visit(62, 'held', { assignedConsultant, assignedConsultantId })
    const others = visits.filter(({ status }) => status !== 'in-session')
    await route.fulfill({ json: { visits: [...others, called, held] } })
  })
  await ready(page, at)
}

/** The desks of the office, each with these fields. */
const withDesks = (page: Page, more: object) =>
  page.route('**/api/visits/desks', async (route) => {
    const office = await route.fetch()
    const { desks } = (await office.json()) as { desks: object[] }
    await route.fulfill({ json: { desks: desks.map((desk) => ({ ...desk, visit: null, ...more })) } })
  })

/** The desk without the session. */
const withoutSession = (page: Page) =>
  page.route(today, async (route) => {
    const office = await route.fetch()
    const { visits } = (await office.json()) as { visits: { status: string }[] }
    await route.fulfill({ json: { visits: visits.filter((visit) => visit.status !== 'in-session') } })
  })

const change = (page: Page) => press(page.getByRole('region', { name: 'My Desk' }), 'Change')

type Visit = { status: string; assignedConsultant: string; assignedConsultantId: string }

export const consultant: Screen = {
  name: 'consultant',
  role: 'consultant',
  scenes: {
    desk: async (page) => {
      await ready(page, at)
      return page.getByRole('timer')
    },
    loading: async (page) => {
      await hold(page, today)
      await page.goto(at)
      return loading(page)
    },
    empty: async (page) => {
      await answer(page, today, { visits: [] })
      await fillLine(page, 0)
      await ready(page, at)
      return shows(page, 'No visitors in queue')
    },
    closed: async (page) => {
      await withoutSession(page)
      await withDesks(page, { state: 'off', counter: null, counterRequired: true })
      await ready(page, at)
      await page.keyboard.press('F2')
      return shows(page, 'Please enter the desk number')
    },
    'same-number': async (page) => {
      await withoutSession(page)
      await withDesks(page, { state: 'break', counter: '3', counterRequired: true })
      await ready(page, at)
      return shows(page, /^Desk 3 is also /)
    },
    free: async (page) => {
      await withoutSession(page)
      await withDesks(page, { state: 'open', counter: '3' })
      await ready(page, at)
      return shows(page, 'No session in progress')
    },
    'free-unknown': async (page) => {
      await answer(page, today, { visits: [] })
      await withDesks(page, { state: 'open', counter: '3' })
      await fillLine(page)
      await ready(page, at)
      return shows(page, 'No session in progress')
    },
    last: async (page) => {
      await withoutSession(page)
      await withDesks(page, { state: 'last', counter: '3' })
      await ready(page, at)
      return shows(page, 'The common line is left to your colleagues.')
    },
    preparing: async (page) => {
      await withoutSession(page)
      await answer(page, '**/api/visits/desks', { desks: [] })
      await ready(page, at)
      return shows(page, 'Your desk is being prepared')
    },
    called: async (page) => {
      await withCall(page)
      return page.getByRole('button', { name: 'Called by mistake' })
    },
    aside: async (page) => {
      await withCall(page)
      await page.getByText('1 on hold or not here').click()
      return shows(page, /Papers are missing/)
    },
    transfer: async (page) => {
      await withCall(page)
      await page.keyboard.press('Shift+F9')
      return dialog(page)
    },
    hold: async (page) => {
      await ready(page, at)
      await page.keyboard.press('F9')
      return dialog(page)
    },
    break: async (page) => {
      await ready(page, at)
      await change(page)
      await press(page, 'Break')
      const open = page.getByRole('dialog', { name: 'Break until' })
      await expect(open).toBeVisible()
      return open
    },
    'pinned-visitors': async (page) => {
      await ready(page, at)
      await change(page)
      await press(page, 'Off')
      return shows(page, /Where should they go/)
    },
    error: async (page) => {
      await fail(page, today)
      await page.goto(at)
      await shows(page, 'Failed to load consultant data')
      return page.getByRole('button', { name: 'Try again' })
    },
    'lost-connection': (page) => loseConnection(page, at),
    'draft-failing': async (page) => {
      await ready(page, at)
      await fail(page, '**/api/visits/*/draft')
      await page.getByLabel('Session Notes').fill('Form 26AS matches; revised return by 30 November.')
      return shows(page, /^Draft not saved yet/)
    },
    'earlier-error': async (page) => {
      await fail(page, '**/api/visits/*/earlier')
      await ready(page, at)
      return shows(page, 'Failed to load earlier visits')
    },
    completing: async (page) => {
      await hold(page, '**/api/visits/*/status')
      await ready(page, at)
      await press(page, 'Complete Session')
      return shows(page, 'Completing...')
    },
    failed: async (page) => {
      await fail(page, '**/api/visits/*/status')
      await ready(page, at)
      await press(page, 'Complete Session')
      return shows(page, 'Failed to complete session')
    },
  },
}
