import { screen, waitFor, within } from '@testing-library/react'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { messages as adminMessages } from '@/admin-messages'
import type { Bodies } from '@/api/types'
import { dialogOf } from '@/test/dialog-of'
import { needFreshSession, openAdmin } from '@/test/open-admin'

const request = (more: Partial<Bodies['PrivacyRequest']> = {}): Bodies['PrivacyRequest'] => ({
  id: 'r1',
  kind: 'erasure',
  phone: '98******10',
  text: 'Please erase me',
  state: 'open',
  receivedAt: '2026-10-01T04:30:00.000Z',
  receivedBy: 'Divya',
  dueAt: '2026-10-31T04:30:00.000Z',
  overdue: true,
  answer: '',
  answeredAt: null,
  answeredBy: null,
  version: 1,
  ...more,
})

const erasure = (state: Bodies['Erasure']['state'], done: boolean): Bodies['Erasure'] => ({
  id: 'e1',
  state,
  startedAt: '2026-11-20T04:30:00.000Z',
  services: [
    { name: 'realtime', done: true, erased: 0 },
    { name: 'directory', done, erased: done ? 1 : 0 },
    { name: 'visits', done, erased: done ? 2 : 0 },
    { name: 'audit', done, erased: 0 },
  ],
})

function openPrivacy(requests = [request()]) {
  const opened = openAdmin('office&page=privacy')
  const { office } = opened
  office.answer('GET /api/privacy/requests', () => ({ requests }))
  office.answer('POST /api/privacy/requests', () => ({ request: requests[0] }))
  office.answer('PUT /api/privacy/requests/r1', () => ({ request: requests[0] }))
  office.answer('GET /api/privacy/notices', () => ({
    notices: [
      { version: '2026-11', visits: 40, first: '2026-11-01T04:30:00.000Z', last: '2026-11-20T04:30:00.000Z' },
    ],
  }))
  office.answer('GET /api/privacy/retention', () => ({
    services: [
      {
        service: 'visits',
        answered: true,
        night: {
          day: '2026-11-20',
          olderThan: '2025-10-16T18:30:00.000Z',
          startedAt: '2026-11-19T18:40:00.000Z',
          finishedAt: '2026-11-19T18:40:01.000Z',
          erased: { visits: 7, events: 90 },
        },
      },
      { service: 'audit', answered: false, night: null },
    ],
  }))
  office.answer('GET /api/privacy/uses', () => ({
    uses: [
      {
        day: '2026-11-20',
        userId: 'divya',
        name: 'Divya',
        role: 'reception',
        call: 'today',
        times: 3,
        records: 41,
      },
      {
        day: '2026-11-20',
        userId: 'operator',
        name: '',
        role: 'operator',
        call: 'breach_report',
        times: 1,
        records: 0,
      },
    ],
  }))
  return opened
}

const panel = async (name: string) => within(await screen.findByRole('group', { name }))

test('the register shows what is overdue, and takes a request and an answer', async () => {
  const { office, person } = openPrivacy()
  const register = await panel('Requests')
  const [, first] = await register.findAllByRole('row')
  if (!first) throw new Error('the register has no row')
  const row = within(first)
  expect(row.getByText('Overdue')).toBeInTheDocument()
  expect(row.getByText('98******10')).toBeInTheDocument()
  await person.click(screen.getByRole('button', { name: 'Add a request' }))
  const adding = within(await dialogOf('Add a request'))
  await person.type(adding.getByLabelText('Phone Number'), '98450 12345')
  await person.type(adding.getByLabelText('What the person asks for'), 'What do you hold?')
  await person.click(adding.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(office.requests('POST /api/privacy/requests')).toHaveLength(1))
  expect(office.requests('POST /api/privacy/requests')[0]?.body).toEqual({
    kind: 'access',
    phone: '9845012345',
    text: 'What do you hold?',
  })
  await person.click(screen.getByRole('button', { name: 'Answer: Erasure, 98******10' }))
  const answering = within(await dialogOf('Answer: Erasure, 98******10'))
  await person.type(answering.getByLabelText('Answer'), 'Erased today')
  await person.click(answering.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(office.requests('PUT /api/privacy/requests/r1')).toHaveLength(1))
  const sent = office.requests('PUT /api/privacy/requests/r1')[0]
  expect(sent?.headers.get('If-Match')).toBe('"1"')
  expect(sent?.body).toEqual({ state: 'answered', answer: 'Erased today' })
})

test('an old session asks for the password and repeats the request', async () => {
  const { office, person } = openPrivacy()
  needFreshSession(office, 'POST /api/privacy/subject')
  office.answer('POST /api/privacy/subject', () => ({
    found: { visits: 2, appointments: 1, arrivals: 3, notifications: 0, requests: 1, records: 9 },
  }))
  const phone = await screen.findByLabelText('Phone Number')
  await person.type(phone, '9845012345{Enter}')
  const asked = within(await dialogOf('Please sign in again for this'))
  await person.type(asked.getByLabelText('Password'), 'a long password{Enter}')
  expect(
    await screen.findByText(/Visits: 2. Appointment requests: 1. Requests for a token: 3./),
  ).toBeInTheDocument()
  const sent = office.requests('POST /api/privacy/subject')
  expect(sent).toHaveLength(2)
  expect(sent[1]?.headers.get('Authorization')).toBe('Bearer token-of-the-new-session')
  expect(sent[1]?.body).toEqual({ action: 'find', reason: 'request', phone: '9845012345' })
})

test.each([
  [
    'an export',
    'POST /api/privacy/subject',
    async ({ person }: ReturnType<typeof openPrivacy>) => {
      await person.type(await screen.findByLabelText('Phone Number'), '9845012345')
      await person.click(screen.getByRole('button', { name: 'Export' }))
    },
  ],
  [
    'an erasure',
    'POST /api/privacy/subject',
    async ({ person }: ReturnType<typeof openPrivacy>) => {
      await person.click(await screen.findByRole('button', { name: 'Person: Erasure, 98******10' }))
      await person.click(screen.getByRole('button', { name: 'Erase...' }))
      await person.click(within(await dialogOf('Erase this person?')).getByRole('button', { name: 'Erase' }))
    },
  ],
  [
    'a kit after a breach',
    'POST /api/privacy/breach',
    async ({ person }: ReturnType<typeof openPrivacy>) => {
      await person.type(
        await screen.findByLabelText('From', { selector: '#privacy-breach_from' }),
        '1 Nov 2026{Enter}',
      )
      await person.type(screen.getByLabelText('To', { selector: '#privacy-breach_to' }), '20 Nov 2026{Enter}')
      await person.type(screen.getByLabelText('What happened'), 'A laptop was stolen')
      await person.click(screen.getByRole('button', { name: 'Make the kit' }))
    },
  ],
] as const)('%s with an old session asks for the password', async (_what, call, act) => {
  const opened = openPrivacy()
  opened.office.fail(call, 403, { error: 'Please sign in again for this.', code: 'session_not_fresh' })
  await act(opened)
  await dialogOf('Please sign in again for this')
  expect(opened.office.requests(call)).toHaveLength(1)
})

test('the person of a request is erased after a confirmation, with the progress of each service', async () => {
  const { office, person } = openPrivacy()
  office.answer('POST /api/privacy/subject', () => ({ erasure: erasure('running', false) }))
  office.answer('GET /api/privacy/subject/e1', () => ({ erasure: erasure('done', true) }))
  await person.click(await screen.findByRole('button', { name: 'Person: Erasure, 98******10' }))
  expect(screen.getByText('Of the request: Erasure, 98******10')).toBeInTheDocument()
  await person.click(screen.getByRole('button', { name: 'Erase...' }))
  const asked = within(await dialogOf('Erase this person?'))
  await person.click(asked.getByRole('button', { name: 'Erase' }))
  const progress = within(await screen.findByRole('region', { name: 'Erasure' }))
  expect(await progress.findByText('The person is erased')).toBeInTheDocument()
  expect(progress.getByText('Visits and requests')).toHaveTextContent('Done: 2')
  expect(office.requests('POST /api/privacy/subject')[0]?.body).toEqual({
    action: 'erase',
    reason: 'request',
    request_id: 'r1',
  })
})

test('an export is saved as a file', async () => {
  const { office, person } = openPrivacy()
  const saved = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:person')
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue()
  office.answer('POST /api/privacy/subject', () => ({ document: '# What the office has stored' }))
  await person.type(await screen.findByLabelText('Phone Number'), '9845012345')
  await person.click(screen.getByRole('button', { name: 'Export' }))
  expect(await screen.findByText('The document was saved')).toBeInTheDocument()
  expect(saved).toHaveBeenCalledTimes(1)
})

test('the reports show who read phones, the languages of the notice and the recorded night', async () => {
  openPrivacy()
  const uses = await panel('Phone lists and exports by staff')
  expect(await uses.findByText('Divya')).toBeInTheDocument()
  expect(uses.getByText("Today's list")).toBeInTheDocument()
  expect(uses.getByText('Command line')).toBeInTheDocument()
  expect(screen.queryByText(/^Without a translation/)).toBeNull()
  const night = await panel('Last night')
  expect(await night.findByText('Visits: 7, Messages between programs: 90')).toBeInTheDocument()
  expect(night.getByText('Did not answer')).toBeInTheDocument()
})

test('each task of retention has a word in place of the name of its table', () => {
  const sources = readdirSync('../services', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.go') && !name.endsWith('_test.go'))
    .map((name) => readFileSync(`../services/${name}`, 'utf8'))
  const tasks = sources.flatMap((source) =>
    [...source.matchAll(/Name: "(\w+)", Erase: /g)].map(([, name = '']) => name),
  )
  expect(new Set(tasks)).toEqual(new Set(Object.keys(adminMessages.privacy.night.tasks)))
})

test('the clock of a breach counts six and seventy-two hours from when it was noticed', async () => {
  openPrivacy()
  const left = await screen.findByText('CERT-In, within 6 hours', { exact: false })
  expect(left).toHaveTextContent('6 h 0 min left')
  expect(screen.getByText('Details to the Board, within 72 hours', { exact: false })).toHaveTextContent(
    '72 h 0 min left',
  )
})
