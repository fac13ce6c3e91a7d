import { expect, type Page } from '@playwright/test'
import { provoke } from '../e2e/faults'
import { fillLine, forecasts, visit, waiting } from './life'
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

const at = '/dashboard/receptionist'
const today = '**/api/visits/today'
const services = '**/api/services'
const requests = '**/api/appointments?*'
const lookup = '**/api/visits/lookup'

async function createToken(page: Page) {
  await ready(page, at)
  await page.getByLabel('Visitor Name').fill('Asha Kulkarni')
  await page.getByLabel('Phone Number', { exact: true }).fill('9876543210')
  await page.getByLabel('Service Required').click()
  await page.getByTitle('GST Registration').click()
  await press(page, 'Create Token')
}

/** An appointment request. */
export const request = (index: number, status: string) => ({
  id: `00000000-0000-7000-8000-00000000000${index}`,
  name: ['Leela Nair', 'Venkataramanan Lakshminarayanan Subrahmanyam', 'मीना शर्मा'][index] ?? 'Asha Rao',
  phone: '9876543210',
  email: 'leela.nair@example.in',
  service: 'GST Registration',
  preferredDate: '2099-11-23',
  preferredTime: '11:00',
  message: index === 0 ? '' : 'My father comes along. We bring the notice of 12 June and last year’s return.',
  status,
  createdAt: '2026-11-20T06:12:08.000Z',
  updatedAt: '2026-11-20T06:12:08.000Z',
  serviceId: null,
  consultant: null,
  language: '',
  messages: false,
  source: 'page',
  sequence: 0,
  version: 1,
  visitId: null,
  endedAt: null,
  needsTime: false,
  undo: null,
})

/** The office's day: a request of today stands above the queue. */
const officeToday = () => new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata' }).format(new Date())

export const listed = (...appointments: object[]) => ({
  appointments,
  pagination: { page: 1, limit: 20, total: appointments.length, pages: 1 },
})

/** The page of a visit that the office does not have. */
const slipLink = {
  url: 'HTTPS://DESK.EXAMPLE.IN/Q/0123456789ABCDEFGHJK',
  opens: 0,
  told: [],
  expires: '2999-12-31T12:00:00.000Z',
}

const documents = '**/api/visits/*/documents'

/** Opens an item of the first visit's row menu. */
async function fromRow(page: Page, item: string) {
  await ready(page, at)
  await press(page, /^Actions for/)
  await page.getByRole('menuitem', { name: item }).click()
}

const paper = (no: number, label: string, state: string, acknowledgement: string | null) => ({
  no,
  key: null,
  label,
  required: no < 3,
  state,
  form: no === 2 ? null : 'original',
  pages: no,
  acknowledgement,
  note: no === 1 ? 'In the blue folder' : '',
  by: 'Divya Menon',
  at: '2026-11-20T06:12:08.000Z',
})

const notedPapers = {
  documents: [
    paper(1, 'PAN card', 'left', 'ACK-2026-000123'),
    paper(2, 'Bank statements of the year', 'missing', null),
    paper(3, 'Proofs of investments', 'returned', 'ACK-2026-000122'),
  ],
  acknowledgement: { no: 'ACK-2026-000123', at: '2026-11-20T06:12:08.000Z', by: 'Divya Menon' },
  version: 4,
}

const consent = (number: number, purpose: string, withdrawnAt: string | null) => ({
  id: `00000000-0000-7000-8000-00000000003${number}`,
  visitId: '00000000-0000-7000-8000-000000000041',
  purpose,
  means: number === 1 ? 'slip' : 'aloud',
  noticeVersion: '2026-11',
  language: 'hi',
  givenAt: '2026-11-20T06:12:08.000Z',
  givenBy: 'Divya Menon',
  withdrawnAt,
  withdrawnBy: withdrawnAt ? 'Visitor' : null,
})

const givenConsents = {
  consents: [consent(1, 'serve', null), consent(2, 'messages', '2026-11-20T06:40:00.000Z')],
}

const requestsAt = `${at}?tab=appointments&view=requests`

export const reception: Screen = {
  name: 'reception',
  role: 'reception',
  scenes: {
    desk: async (page) => {
      await ready(page, at)
      return page.getByRole('group', { name: 'Current Queue Status' })
    },
    loading: async (page) => {
      await hold(page, today, services)
      await page.goto(at)
      return loading(page)
    },
    empty: async (page) => {
      await answer(page, today, { visits: [] })
      await ready(page, at)
      return shows(page, 'No visitors registered today')
    },
    ranges: async (page) => {
      await fillLine(page)
      await answer(page, today, { visits: forecasts.map((_, index) => waiting(index)) })
      await ready(page, at)
      return shows(page, 'Ranges were right 81 % of the time, last 30 days (412 visitors)')
    },
    'not-today': async (page) => {
      await fillLine(page)
      await answer(page, today, { visits: [waiting(4)] })
      await answer(page, '**/api/lobby/visits/*/link', { link: slipLink })
      await ready(page, at)
      await press(page, 'Show T-045 again')
      return shows(page, /^T-045 may not be called before the office closes today/)
    },
    error: async (page) => {
      await fail(page, today, services)
      await page.goto(at)
      await shows(page, 'Failed to load dashboard data')
      return page.getByRole('button', { name: 'Try again' }).first()
    },
    'lost-connection': (page) => loseConnection(page, at),
    'form-errors': async (page) => {
      await ready(page, at)
      await press(page, 'Create Token')
      return shows(page, 'Name is required')
    },
    'services-open': async (page) => {
      await ready(page, at)
      await page.getByLabel('Service Required').click()
      await expect(page.getByTitle('ITR Filing')).toBeVisible()
      return page.getByTitle('ITR Filing')
    },
    'known-visitor': async (page) => {
      await answer(page, lookup, {
        visitor: { name: 'Asha Kulkarni', visits: 3, lastVisit: '2026-06-12', lastService: 'ITR Filing' },
      })
      await ready(page, at)
      await page.getByLabel('Phone Number', { exact: true }).fill('9876543210')
      return shows(page, 'has been here 3 times')
    },
    'nothing-found': async (page) => {
      await ready(page, at)
      await page.getByRole('searchbox').fill('no visitor has this name')
      return shows(page, 'No matching visitors')
    },
    'token-created': async (page) => {
      await createToken(page)
      await shows(page, /created successfully/)
      return page.getByRole('button', { name: 'Print Token' })
    },
    'token-large': async (page) => {
      await createToken(page)
      await press(page, 'Show Large')
      return dialog(page)
    },
    'token-failed': async (page) => {
      await fail(page, '**/api/visits')
      await createToken(page)
      return shows(page, 'Failed to create visitor token')
    },
    'token-unanswered': async (page) => {
      provoke(page, /^failed POST \/api\/visits /)
      await page.route('**/api/visits', (route) => route.abort())
      await createToken(page)
      return page.getByRole('region', { name: 'Kept entries' })
    },
    papers: async (page) => {
      await answer(page, documents, notedPapers)
      await fromRow(page, 'Papers...')
      await shows(page, 'ACK-2026-000123')
      return dialog(page)
    },
    consents: async (page) => {
      await answer(page, '**/api/visits/*/consents', givenConsents)
      await fromRow(page, 'Consents...')
      await shows(page, 'Withdrawn:')
      return dialog(page)
    },
    'row-menu': async (page) => {
      await ready(page, at)
      await press(page, /^Actions for/)
      return page.getByRole('menuitem', { name: 'Correct...' })
    },
    stages: async (page) => {
      const visits = (['held', 'missed'] as const).map((stage, index) => visit(61 + index, stage))
      const gone = (['left', 'no-show', 'cancelled'] as const).map((stage, index) =>
        visit(65 + index, stage, { status: 'denied' }),
      )
      await answer(page, today, { visits: [...visits, ...gone] })
      await ready(page, `${at}?tab=all`)
      return shows(page, 'did not come')
    },
    correction: async (page) => {
      await ready(page, at)
      await press(page, /^Actions for/)
      await page.getByRole('menuitem', { name: 'Correct...' }).click()
      return dialog(page)
    },
    undo: async (page) => {
      await createToken(page)
      // A new visitor, whose class no other run has changed.
      await page.locator('.ledger-fresh .row-menu').click()
      await page.getByRole('menuitem', { name: 'Priority' }).click()
      await page.getByRole('menuitem', { name: 'Deadline today' }).click()
      return page.getByRole('button', { name: /^Undo: Priority of/ })
    },
    priority: async (page) => {
      await createToken(page)
      await page.locator('.ledger-fresh .row-menu').click()
      await page.getByRole('menuitem', { name: 'Priority' }).click()
      return page.getByRole('menuitem', { name: 'Deadline today' })
    },
    duplicates: async (page) => {
      await createToken(page)
      await shows(page, /created successfully/)
      await page.getByLabel('Phone Number', { exact: true }).fill('9876543210')
      await shows(page, / waits for approval$/)
      await page.keyboard.press('Control+Delete')
      return dialog(page)
    },
    requests: async (page) => {
      await answer(
        page,
        requests,
        listed(request(0, 'pending'), request(1, 'pending'), request(2, 'confirmed')),
      )
      await ready(page, requestsAt)
      return page.getByRole('group', { name: 'Requests' })
    },
    'requests-empty': async (page) => {
      await answer(page, requests, listed())
      await ready(page, requestsAt)
      return shows(page, 'No requests')
    },
    'requests-error': async (page) => {
      await fail(page, requests)
      await page.goto(requestsAt)
      return shows(page, 'Failed to load appointments')
    },
    'expected-today': async (page) => {
      const times = ['10:00', '11:00', '14:00', '16:00']
      const expected = times.map((preferredTime, index) => ({
        ...request(index, index % 2 === 0 ? 'confirmed' : 'pending'),
        preferredTime,
        preferredDate: officeToday(),
      }))
      await answer(page, requests, listed(...expected))
      await ready(page, at)
      await page.getByLabel('Phone Number', { exact: true }).fill('9876543210')
      await shows(page, /is expected today at/)
      return page.getByRole('region', { name: 'Expected today' })
    },
  },
}
