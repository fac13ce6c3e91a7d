import type { Page } from '@playwright/test'
import { adminPlaces } from '../e2e/admin-places'
import { answer, dialog, fail, hold, loading, press, ready, shows, type Screen } from './scene'

const at = adminPlaces.dueDates
const calendar = '**/api/due-dates'
const demand = '**/api/visits/demand'

const opening = 10
const expected = (mean: number) => ({
  mean,
  from: Math.max(0, Math.floor(mean - 1.2816 * Math.sqrt(mean))),
  to: Math.ceil(mean + 1.2816 * Math.sqrt(mean)),
})

/** Fourteen days; the office is closed on the sixth and on the thirteenth. */
const days = Array.from({ length: 14 }, (_, index) => {
  const date = new Date(Date.UTC(2026, 11, 8 + index)).toISOString().slice(0, 10)
  const closed = index % 7 === 5
  const mean = 40 + 6 * (index % 5)
  const hours = [0.1, 0.16, 0.14, 0.06, 0.12, 0.18, 0.14, 0.1].map((share, hour) => ({
    hour: opening + hour,
    visitors: expected(share * mean),
  }))
  return {
    date,
    closed,
    due: index === 7 ? ['income_tax', 'other'] : [],
    visitors: closed ? null : expected(mean),
    hours: closed ? [] : hours,
  }
})

const arrivals = (page: Page, history: number) =>
  answer(page, demand, { demand: { days, history, early: history < 10 } })

export const dueDates: Screen = {
  name: 'admin-due-dates',
  role: 'admin',
  scenes: {
    calendar: async (page) => {
      await arrivals(page, 120)
      await ready(page, at)
      await shows(page, 'GSTR-3B, monthly')
      return page.getByRole('img', { name: /^Expected visitors: 8 Dec/ }).first()
    },
    loading: async (page) => {
      await hold(page, calendar)
      await page.goto(at)
      return loading(page)
    },
    'little-history': async (page) => {
      await arrivals(page, 6)
      await ready(page, at)
      return shows(page, /^First estimate, from 6 days/)
    },
    'no-history': async (page) => {
      await answer(page, demand, { demand: { days: [], history: 0, early: true } })
      await ready(page, at)
      return shows(page, 'Not enough history yet')
    },
    error: async (page) => {
      await fail(page, demand)
      await fail(page, calendar)
      await page.goto(at)
      await shows(page, 'Failed to load the expected arrivals')
      return shows(page, 'Failed to load the due dates')
    },
    added: async (page) => {
      await ready(page, at)
      await press(page, 'Add due date')
      return dialog(page)
    },
    'add-errors': async (page) => {
      await ready(page, at)
      await press(page, 'Add due date')
      await press(await dialog(page), 'Save')
      return shows(page, 'Title is required')
    },
    edited: async (page) => {
      await ready(page, at)
      await press(page, 'Edit GSTR-3B, monthly')
      return dialog(page)
    },
  },
}
