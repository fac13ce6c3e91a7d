import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { afterEach, expect, test, vi } from 'vitest'
import type { Desk, Place, Visit } from '@/api/types'
import { deskOf, lineOf, mine, placeOf, queueOf, userOf, visitOf } from '@/test/fixtures'
import { liveThrough } from '@/test/life'
import { openOffice } from '@/test/office'
import { renderApp } from '@/test/render-app'
import { server } from '@/test/server'

const user = userOf('consultant')
const assigned = [16, 20].map((number) => visitOf(number, { ...mine, status: 'approved' }))
const called = visitOf(21, {
  ...mine,
  name: 'Asha',
  status: 'approved',
  queue: queueOf('called', { counter: '3', callCount: 1, calledAt: new Date().toISOString() }),
})

type Opening = { visits?: Visit[]; line?: Place[]; desk?: Partial<Desk> }

function openOwn({ visits = [], line = [], desk = {} }: Opening) {
  const desks = [deskOf(user.id, user.name, { counter: '3', ...desk })]
  const office = openOffice({ user, visits, line: lineOf({ desks, line }) })
  liveThrough(office, visits)
  return office
}

const open = () => renderApp('/dashboard/consultant')
const changes = ({ seen }: ReturnType<typeof openOwn>) =>
  seen
    .filter(({ method, path }) => method !== 'GET' && path.startsWith('/api/visits/'))
    .map(({ path }) => path)
const again = () => screen.findAllByRole('button', { name: 'Try again' })

test('a line that cannot be read is not shown as empty, and no visitor is called until it is read', async () => {
  const office = openOwn({ visits: assigned, line: [placeOf(1, 21)] })
  office.fail('GET /api/visits/line')
  const { person } = open()
  const [inCard, inQueue] = await again()
  expect(inCard).toBeVisible()
  const queue = screen.getByRole('region', { name: 'My Queue' })
  expect(within(queue).getByRole('button', { name: 'Try again' })).toBe(inQueue)
  expect(within(queue).getAllByRole('listitem')).toHaveLength(2)
  expect(screen.queryByText('Next')).toBeNull()
  for (const text of ['No session in progress', 'No visitors in queue', /^Call T-/])
    expect(screen.queryByText(text)).toBeNull()
  await person.keyboard('{F2}{Control>}{F2}{/Control}')
  expect(changes(office)).toEqual([])

  const release = office.hold('GET /api/visits/line')
  office.mend('GET /api/visits/line')
  if (inCard) await person.click(inCard)
  expect(screen.getByRole('region', { name: 'My Queue' })).toBe(queue) // no placeholder
  release()
  expect(await screen.findByRole('button', { name: /^Call T-021/ })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
})

test('while the line cannot be read, the called visitor is served, and a closed desk counts no visitors', async () => {
  const office = openOwn({ visits: [called, ...assigned] })
  office.fail('GET /api/visits/line')
  const { person, unmount } = open()
  await screen.findByRole('button', { name: 'Called by mistake' })
  await person.keyboard('{F2}')
  await waitFor(() => expect(changes(office)).toEqual(['/api/visits/visit-21/status']))
  unmount()

  openOwn({ visits: assigned, desk: { state: 'off' } }).fail('GET /api/visits/line')
  open()
  expect(await screen.findByText('Open your desk to begin')).toBeVisible()
  expect(screen.queryByText(/visitors? waits? for you/)).toBeNull()
})

afterEach(() => void vi.useRealTimers())

const inSession = () =>
  ({
    counter: '3',
    visit: { id: 'visit-9', token: 'T-009', stage: 'in-session', since: new Date().toISOString() },
  }) as const

test('while the visits cannot be read, the head has the desk as the server has it, and no Available', async () => {
  // The session has lasted less than a minute, however long the test takes.
  vi.useFakeTimers({ toFake: ['Date'] })
  const office = openOwn({ desk: inSession() })
  office.fail('GET /api/visits/today')
  open()
  expect(await screen.findByText('In session 0 min, Desk 3')).toBeVisible()
  for (const text of ['Available', 'Busy', 'Desk 3 open']) expect(screen.queryByText(text)).toBeNull()
})

test('until the visits are known, the head says nothing about the queue', async () => {
  const office = openOwn({ desk: inSession() })
  const release = office.hold('GET /api/visits/today')
  open()
  expect(await screen.findByText('Connected')).toBeVisible()
  // The second request of the line is sent after the first responses were handled.
  await waitFor(() => expect(office.requests('GET /api/visits/desks')).toHaveLength(1))
  office.send({ type: 'status_update', data: { entity: 'line', entityId: 'line' } })
  await waitFor(() => expect(office.requests('GET /api/visits/line')).toHaveLength(2))
  expect(office.requests('GET /api/visits/today')).toHaveLength(1)
  for (const text of ['Available', 'Busy', 'Desk 3 open']) expect(screen.queryByText(text)).toBeNull()
  release()
  expect(await screen.findByText('Available')).toBeVisible()
})

const starts = () => screen.getAllByRole('button', { name: /^Start Session/ })

test('while a release is sent, no key starts, calls again, holds or transfers', async () => {
  const office = openOwn({ visits: [called] })
  const path = 'POST /api/visits/visit-21/release'
  const release = office.hold(path)
  const { person } = open()
  await screen.findByRole('button', { name: 'Called by mistake' })
  await person.keyboard('{Control>}{F8}{/Control}')
  await waitFor(() => expect(office.requests(path)).toHaveLength(1))
  for (const button of starts()) expect(button).toBeDisabled()
  expect(screen.getByRole('button', { name: 'Actions for T-021' })).toBeDisabled()
  await person.keyboard('{F2}{F8}{F9}{Shift>}{F9}{/Shift}{Control>}{F2}{/Control}')
  release()
  expect(await screen.findByRole('button', { name: /^Call T-021 Asha/ })).toBeEnabled()
  expect(changes(office)).toEqual(['/api/visits/visit-21/release'])
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('while a call is sent, no session starts, and the called visitor has the focus with the response', async () => {
  const office = openOwn({ line: [placeOf(1, 21), placeOf(2, 22)] })
  const path = 'POST /api/visits/next'
  office.answer(path, () => {
    office.state.visits = [called]
    return { visit: called, again: false, reasons: [], waiting: 0 }
  })
  const release = office.hold(path)
  const { person } = open()
  await screen.findByRole('button', { name: /^Call T-021/ })
  await person.keyboard('{F2}')
  await waitFor(() => expect(office.requests(path)).toHaveLength(1))
  for (const button of starts()) expect(button).toBeDisabled()
  await person.keyboard('{Control>}{F2}{/Control}')
  // The event of the call may come before its response.
  office.state.visits = [called]
  office.send({ type: 'status_update', data: { visitId: called.id, version: 2, token: called.token } })
  await screen.findByRole('button', { name: 'Called by mistake' })
  expect(starts()[0]).toBeDisabled()
  release()
  await waitFor(() => expect(starts()[0]).toHaveFocus())
  expect(changes(office)).toEqual(['/api/visits/next'])
})

test('while a session of a row starts, F2 calls no visitor', async () => {
  const office = openOwn({ visits: assigned })
  const path = 'PUT /api/visits/visit-16/status'
  const release = office.hold(path)
  const { person } = open()
  const call = await screen.findByRole('button', { name: /^Call T-016/ })
  const [first] = starts()
  if (first) await person.click(first)
  await waitFor(() => expect(office.requests(path)).toHaveLength(1))
  expect(call).toBeDisabled()
  await person.keyboard('{F2}')
  expect(changes(office)).toEqual(['/api/visits/visit-16/status'])
  release()
})

const unreached = 'The server cannot be reached. Check your connection and try again.'
const unanswered = (place: HTMLElement) => within(place).queryAllByText(unreached)

test('a start of the called visitor without a response is said in the card alone', async () => {
  openOwn({ visits: [called, ...assigned] })
  server.use(http.put('*/api/visits/visit-21/status', () => HttpResponse.error()))
  const { person } = open()
  await screen.findByRole('button', { name: 'Called by mistake' })
  await person.keyboard('{F2}')
  const card = screen.getByRole('region', { name: 'Current Session' })
  await waitFor(() => expect(unanswered(card)).toHaveLength(1))
  expect(unanswered(screen.getByRole('region', { name: 'My Queue' }))).toEqual([])
})

test('a call without a response is said only as long as the same visitor is first', async () => {
  const office = openOwn({ line: [placeOf(1, 12), placeOf(2, 14)] })
  server.use(http.post('*/api/visits/next', () => HttpResponse.error()))
  const { person } = open()
  await screen.findByRole('button', { name: /^Call T-012/ })
  // The failure makes the screen read the line again.
  const release = office.hold('GET /api/visits/line')
  await person.keyboard('{F2}')
  const card = screen.getByRole('region', { name: 'Current Session' })
  await waitFor(() => expect(unanswered(card)).toHaveLength(1))
  office.state.line = lineOf({ ...office.state.line, line: [placeOf(1, 14)] })
  release()
  await screen.findByRole('button', { name: /^Call T-014/ })
  expect(unanswered(card)).toEqual([])
})
