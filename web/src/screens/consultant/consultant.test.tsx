import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { Visit } from '@/api/types'
import { deskOf, inStatus, lineOf, mine, userOf, visitOf } from '@/test/fixtures'
import { openOffice } from '@/test/office'
import { renderApp } from '@/test/render-app'

const first = visitOf(1, { ...mine, status: 'approved', name: 'Deepak' })
const second = visitOf(2, { ...mine, status: 'approved', name: 'Farida' })
const running = visitOf(3, {
  ...mine,
  status: 'in-session',
  name: 'Lakshmi',
  startedAt: new Date(Date.now() - 75 * 60_000 - 3_000).toISOString(),
})
const done = visitOf(4, {
  ...mine,
  status: 'completed',
  name: 'Kavitha',
  notes: 'Challan corrected',
  sessionDuration: 24,
})
const unmeasured = visitOf(5, { ...mine, status: 'completed', name: 'Rohan' })
const foreign = visitOf(6, {
  status: 'approved',
  name: 'Another Consultant',
  assignedConsultant: 'Nandini',
  assignedConsultantId: 'another-nandini',
})

function openDesk(visits: Visit[]) {
  const line = lineOf({ desks: [deskOf('consultant-user', 'Nandini')] })
  const office = openOffice({ user: userOf('consultant'), visits, line })
  for (const { id } of visits) {
    office.answer(`PUT /api/visits/${id}/status`, () => {
      const { status } = office.requests(`PUT /api/visits/${id}/status`).at(-1)?.body as Pick<Visit, 'status'>
      const before = office.state.visits.find((visit) => visit.id === id) ?? first
      const changed = inStatus(before, status, { startedAt: new Date().toISOString() })
      office.state.visits = office.state.visits.map((visit) => (visit.id === id ? changed : visit))
      return { visit: changed }
    })
  }
  return { office, ...renderApp('/dashboard/consultant') }
}

// S2.consultant.01-03, S2.route.11
test("the desk shows the connection, the consultant's name and Available", async () => {
  openDesk([])
  expect(await screen.findByRole('heading', { name: 'Consultant Dashboard' })).toBeVisible()
  expect(await screen.findByText('Connected')).toBeVisible()
  expect(screen.getAllByText('Nandini').some((name) => name.classList.contains('chip'))).toBe(true)
  expect(screen.getByText('Available')).toBeVisible()
})

// S2.consultant.16, S2.consultant.18
test('an empty desk has a text for each empty list', async () => {
  openDesk([])
  expect(await screen.findByText('No visitors in queue')).toBeVisible()
  expect(screen.getByText('No completed sessions today')).toBeVisible()
})

// S4.queue.03, S2.consultant.04-09
test('a running session is restored with visitor, phone, service and a timer past 59 minutes', async () => {
  openDesk([running])
  const ticket = await screen.findByRole('article', { name: 'Token T-003' })
  expect(ticket).toHaveTextContent(/Lakshmi.*ITR Filing.*9876543203/)
  const timer = screen.getByRole('timer')
  expect(timer).toHaveTextContent(/^7\d:\d\d$/)
  const shown = timer.textContent
  await waitFor(() => expect(timer).not.toHaveTextContent(shown))
  expect(screen.getByLabelText('Session Notes')).toBeVisible()
})

// S4.queue.01, S2.consultant.11-14
test('the queue has the approved visits assigned by id, and the first is next', async () => {
  openDesk([first, second, foreign, done])
  const queue = await screen.findByRole('group', { name: 'My Queue' })
  const entries = within(queue).getAllByRole('listitem')
  expect(entries.map((entry) => within(entry).queryByText('Next') !== null)).toEqual([true, false])
  expect(entries[0]).toHaveTextContent(/T-001.*Deepak/)
  expect(entries[1]).toHaveTextContent(/T-002.*Farida/)
  expect(within(queue).getAllByRole('button', { name: 'Start Session' })).toHaveLength(2)
  expect(screen.getByRole('heading', { name: 'My Queue' }).nextElementSibling).toHaveTextContent('2')
})

// S4.queue.02, S2.consultant.17, S2.consultant.19-23, S3.visit.07-08
test('the completed list shows token, name, badge, notes and duration, 30 minutes if unmeasured', async () => {
  openDesk([done, unmeasured])
  const list = await screen.findByRole('group', { name: "Today's Completed Sessions" })
  const [latest, earlier] = within(list).getAllByRole('listitem')
  expect(latest).toHaveTextContent(/T-005.*Rohan.*30 min.*Completed/)
  expect(earlier).toHaveTextContent(/T-004.*Kavitha.*24 min.*Completed.*Challan corrected/)
})

// S2.consultant.10, S2.consultant.15, S3.status.02, S8.toast.16-17
test('a session is started and completed', async () => {
  const { office, person } = openDesk([first, second])
  const [start] = await screen.findAllByRole('button', { name: 'Start Session' })
  if (start) await person.click(start)
  expect(await screen.findByText('Session started with Deepak')).toBeInTheDocument()
  expect(office.requests('PUT /api/visits/visit-1/status')[0]?.body).toEqual({
    status: 'in-session',
    notes: '',
  })
  expect(screen.getByRole('button', { name: 'Start Session' })).toBeDisabled()

  await person.type(await screen.findByLabelText('Session Notes'), 'Form 26AS matches')
  await person.click(screen.getByRole('button', { name: 'Complete Session' }))
  expect(await screen.findByText('Session completed')).toBeInTheDocument()
  expect(office.requests('PUT /api/visits/visit-1/status')[1]?.body).toEqual({
    status: 'completed',
    notes: 'Form 26AS matches',
  })
  await waitFor(() => expect(screen.getByRole('button', { name: 'Start Session' })).toBeEnabled())
})

// S8.toast.14-15
test('a session that fails to start or to complete shows an error and keeps the notes', async () => {
  const { office, person } = openDesk([first, running])
  office.fail('PUT /api/visits/visit-3/status', 503)
  await person.type(await screen.findByLabelText('Session Notes'), 'Return filed')
  await person.click(screen.getByRole('button', { name: 'Complete Session' }))
  expect(await screen.findByText('Failed to complete session')).toBeInTheDocument()
  expect(screen.getByLabelText('Session Notes')).toHaveValue('Return filed')
})

test('no draft is saved after the completion was sent', async () => {
  const { office, person } = openDesk([running])
  const release = office.hold('PUT /api/visits/visit-3/status')
  await person.type(await screen.findByLabelText('Session Notes'), 'Filed{Control>}{Enter}{/Control}')
  await waitFor(() => expect(office.requests('PUT /api/visits/visit-3/status')).toHaveLength(1))
  await new Promise((pause) => setTimeout(pause, 700)) // longer than the pause before a draft is stored
  const order = office.seen.filter(({ method }) => method === 'PUT').map(({ path }) => path)
  expect(order.at(-1)).toBe('/api/visits/visit-3/status')
  release()
  expect(await screen.findByText('Session completed')).toBeInTheDocument()
})

test("a free desk shows the first visitor's ticket with notes and earlier visits, and calls this visitor", async () => {
  const { office, person } = openDesk([{ ...first, receptionNotes: 'Brought Form 16' }, second])
  office.answer('GET /api/visits/{id}/earlier', () => ({ visits: [] }))
  const ticket = await screen.findByRole('article', { name: 'Token T-001' })
  expect(ticket).toHaveTextContent('Deepak')
  const card = screen.getByRole('region', { name: 'Current Session' })
  expect(card).toHaveTextContent(/No session in progress.*Asked for you.*From reception.*Brought Form 16/)
  expect(await within(card).findByText('First visit with this phone number')).toBeVisible()
  expect(screen.getByText('Busy')).toBeVisible()
  const words = screen.getAllByText('Desk open') // the head and My Desk
  expect(words.map((one) => one.parentElement?.className)).toEqual(['chip', 'own-desk'])
  await person.click(within(card).getByRole('button', { name: /^Call T-001 Deepak/ }))
  await waitFor(() =>
    expect(office.requests('POST /api/visits/visit-1/call')[0]?.body).toEqual({ version: 1 }),
  )
})

test('in session the head shows the state of the desk alone', async () => {
  const { person } = openDesk([first])
  await person.click(await screen.findByRole('button', { name: 'Start Session' }))
  const words = await screen.findAllByText('In session 0 min')
  expect(words.some((one) => one.parentElement?.classList.contains('chip'))).toBe(true)
  expect(screen.queryByText('Available')).toBeNull()
  expect(screen.queryByText('Busy')).toBeNull()
})

test('typed notes are saved as a draft and restored when the desk is opened again', async () => {
  const { office, person, unmount } = openDesk([running])
  await person.type(await screen.findByLabelText('Session Notes'), 'Form 26AS')
  expect(await screen.findByText('Draft saved')).toBeVisible()
  const saves = office.requests('PUT /api/visits/visit-3/draft')
  expect(saves.map(({ body }) => body)).toEqual([{ notes: 'Form 26AS' }])
  expect(sessionStorage.getItem('baari.unsaved')).toBeNull()
  unmount()

  office.answer('GET /api/visits/{id}/draft', () => ({ draft: { notes: 'Form 26AS', savedAt: null } }))
  renderApp('/dashboard/consultant')
  expect(await screen.findByLabelText('Session Notes')).toHaveValue('Form 26AS')
})

test('unsent notes of a session that was completed elsewhere are shown until they are dismissed', async () => {
  const { office, person } = openDesk([running])
  await person.type(await screen.findByLabelText('Session Notes'), 'Ask for Form 16')
  office.state.visits = [inStatus(running, 'completed', { notes: 'Done on the phone' })]
  office.send({ type: 'status_update', data: { visitId: running.id, version: 9, token: running.token } })
  const lost = await screen.findByText(
    `The session of ${running.token} was already completed. Your unsent notes:`,
  )
  expect(lost.parentElement).toHaveTextContent('Ask for Form 16')
  await person.click(screen.getByRole('button', { name: 'Dismiss' }))
  expect(screen.queryByText('Ask for Form 16')).toBeNull()
})

test('notes that the session was completed with leave nothing in the browser', async () => {
  const { office, person } = openDesk([running])
  await person.type(await screen.findByLabelText('Session Notes'), 'Return filed ')
  expect(sessionStorage.getItem('baari.drafts')).toContain('Return filed')
  office.state.visits = [inStatus(running, 'completed', { notes: 'Return filed' })]
  office.send({ type: 'status_update', data: { visitId: running.id, version: 9, token: running.token } })
  expect(await screen.findByText('Return filed')).toBeVisible() // among the completed sessions
  await waitFor(() => expect(sessionStorage.getItem('baari.drafts') ?? '').not.toContain('Return filed'))
  expect(screen.queryByRole('button', { name: 'Dismiss' })).toBeNull()
})

test('notes that could not be saved are kept in the tab for the same user', async () => {
  const { office, person, unmount } = openDesk([running])
  office.fail('PUT /api/visits/visit-3/draft', 503)
  await person.type(await screen.findByLabelText('Session Notes'), 'Half a sen')
  expect(await screen.findByText(/Draft not saved yet/)).toBeVisible()
  unmount()

  office.mend('PUT /api/visits/visit-3/draft')
  const again = renderApp('/dashboard/consultant')
  expect(await screen.findByLabelText('Session Notes')).toHaveValue('Half a sen')
  await waitFor(() =>
    expect(office.requests('PUT /api/visits/visit-3/draft').at(-1)?.body).toEqual({ notes: 'Half a sen' }),
  )
  expect(await screen.findByText('Draft saved')).toBeVisible()
  again.unmount()

  sessionStorage.setItem(
    'baari.unsaved',
    JSON.stringify({ user: 'another-user', visit: 'visit-3', notes: 'Secret' }),
  )
  renderApp('/dashboard/consultant')
  expect(await screen.findByLabelText('Session Notes')).toHaveValue('')
})

test('Ctrl+Enter in the notes completes the session and focuses the next visitor', async () => {
  const { person } = openDesk([first, running])
  const notes = await screen.findByLabelText('Session Notes')
  expect(notes).toHaveFocus()
  await person.keyboard('Filed{Control>}{Enter}{/Control}')
  expect(await screen.findByText('Session completed')).toBeInTheDocument()
  await waitFor(() => expect(screen.getByRole('button', { name: 'Start Session' })).toHaveFocus())
  await person.keyboard('{Enter}')
  expect(await screen.findByText('Session started with Deepak')).toBeInTheDocument()
  await waitFor(() => expect(screen.getByLabelText('Session Notes')).toHaveFocus())
})

test("the timer runs on the server's clock, even if the browser's is wrong", async () => {
  const startedAt = new Date(Date.now() - 75 * 60_000).toISOString()
  const { office } = openDesk([{ ...running, startedAt }])
  const wrong = Date.now() + 3_600_000
  vi.spyOn(Date, 'now').mockImplementation(() => wrong)
  office.clock.now = () => new Date(wrong - 3_600_000)
  expect(await screen.findByRole('timer')).toHaveTextContent(/^(74:59|75:0\d)$/)
  vi.restoreAllMocks()
})

test("the visitor's earlier visits are in the session card", async () => {
  const { office } = openDesk([running])
  const earlier = {
    id: 'e1',
    day: '2026-08-03',
    service: { id: 'itr', name: 'ITR Filing' },
    assignedConsultant: 'Zoya',
  }
  office.answer('GET /api/visits/{id}/earlier', () => ({
    visits: [
      { ...earlier, name: 'Lakshmi', sessionNotes: 'Return filed' },
      { ...earlier, id: 'e2', day: '2026-07-01', name: 'Her brother', sessionNotes: '' },
    ],
  }))
  const list = await screen.findByRole('group', { name: 'Earlier visits' })
  const [latest, before] = within(list).getAllByRole('listitem')
  expect(latest).toHaveTextContent(/3 Aug 2026.*ITR Filing.*Zoya.*Return filed/)
  expect(before).toHaveTextContent(/1 Jul 2026.*As Her brother.*No session notes/)
})

// S8.toast.14
test('a session that fails to start shows an error', async () => {
  const { office, person } = openDesk([first])
  office.fail('PUT /api/visits/visit-1/status', 409, {
    error: 'You already have an active session',
    code: 'session_active',
    request_id: 'r',
  })
  await person.click(await screen.findByRole('button', { name: 'Start Session' }))
  expect(await screen.findByText('Failed to start session')).toBeInTheDocument()
  expect(screen.getByText('You already have an active session')).toBeInTheDocument()
})

// S8.toast.07
test('a desk that fails to load shows its own error', async () => {
  const office = openOffice({ user: userOf('consultant') })
  office.fail('GET /api/visits/today')
  renderApp('/dashboard/consultant')
  expect((await screen.findAllByText('Failed to load consultant data')).length).toBeGreaterThan(0)
})
