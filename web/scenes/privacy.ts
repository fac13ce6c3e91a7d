import type { Page } from '@playwright/test'
import { adminPlaces } from '../e2e/admin-places'
import { answer, dialog, failWith, press, ready, shows, type Screen } from './scene'

const at = adminPlaces.privacy
const subject = '**/api/privacy/subject'

const request = (number: number, kind: string, more: object = {}) => ({
  id: `00000000-0000-7000-8000-00000000006${number}`,
  kind,
  phone: '98******10',
  text: 'I want to know what you hold about me and my father, who came along in June.',
  state: 'open',
  receivedAt: '2026-10-01T04:30:00.000Z',
  receivedBy: 'Divya Menon',
  dueAt: '2026-10-31T04:30:00.000Z',
  overdue: true,
  answer: '',
  answeredAt: null,
  answeredBy: null,
  version: 1,
  ...more,
})

const answered = {
  state: 'answered',
  overdue: false,
  answer: 'By speed post on 12 October',
  answeredAt: '2026-10-12T09:00:00.000Z',
  answeredBy: 'Vikram Shetty',
}

async function openTab(page: Page) {
  await answer(page, '**/api/privacy/requests', {
    requests: [
      request(1, 'erasure'),
      request(2, 'nomination', { phone: '' }),
      request(3, 'access', answered),
    ],
  })
  await ready(page, at)
}

async function find(page: Page) {
  await openTab(page)
  await page.getByLabel('Phone Number', { exact: true }).fill('9876543210')
  await press(page, 'Find')
}

/** The page of Office for privacy requests. */
export const privacy: Screen = {
  name: 'admin-privacy',
  role: 'admin',
  scenes: {
    register: async (page) => {
      await openTab(page)
      return shows(page, 'By speed post on 12 October')
    },
    empty: async (page) => {
      await answer(page, '**/api/privacy/requests', { requests: [] })
      await ready(page, at)
      return page.getByRole('button', { name: 'Add a request' })
    },
    add: async (page) => {
      await openTab(page)
      await press(page, 'Add a request')
      return dialog(page)
    },
    answer: async (page) => {
      await openTab(page)
      await press(page, /^Answer: Erasure/)
      return dialog(page)
    },
    found: async (page) => {
      await answer(page, subject, {
        found: { visits: 12, appointments: 1, arrivals: 2, notifications: 3, requests: 1, records: 40 },
      })
      await find(page)
      return shows(page, /^Visits: 12\./)
    },
    'sign-in-again': async (page) => {
      await failWith(page, subject, 403, 'Please sign in again for this.', 'session_not_fresh')
      await find(page)
      return dialog(page)
    },
    erase: async (page) => {
      await openTab(page)
      await press(page, /^Person: Erasure/)
      await press(page, 'Erase...')
      return dialog(page)
    },
  },
}
