import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Line, Visit } from '@/api/types'
import { dialogOf } from '@/test/dialog-of'
import { deskOf, lineOf, mine, placeOf, queueOf, userOf, visitOf } from '@/test/fixtures'
import { changed, liveThrough } from '@/test/life'
import { openOffice } from '@/test/office'
import { renderApp } from '@/test/render-app'

const user = userOf('consultant')
const desk = deskOf(user.id, user.name, { counter: '3' })
const first = placeOf(1, 21, { class: 'priority', reasons: [{ code: 'must_go', values: { bypassed: 3 } }] })
const unknown = visitOf(21, { name: 'Asha', status: 'approved' })
const called = visitOf(21, {
  ...mine,
  name: 'Asha',
  status: 'approved',
  receptionNotes: 'Brought Form 16',
  queue: queueOf('called', { counter: '3', callCount: 1, calledAt: new Date().toISOString() }),
})

function openDesk(visits: Visit[], line: Partial<Line> = {}) {
  const office = openOffice({ user, visits, line: lineOf({ desks: [desk], line: [first], ...line }) })
  liveThrough(office, visits)
  office.answer('POST /api/visits/next', () => {
    office.state.visits = [called]
    return { visit: called, again: false, reasons: [], waiting: 0 }
  })
  office.answer(`PUT /api/visits/desks/${user.id}`, () => ({
    desk: { ...desk, ...(office.requests(`PUT /api/visits/desks/${user.id}`).at(-1)?.body as object) },
  }))
  return { office, ...renderApp('/dashboard/consultant') }
}

const card = () => screen.findByRole('region', { name: 'Current Session' })

test('F2 calls the first of the queue, without a name before the call, and then starts the session', async () => {
  const { office, person } = openDesk([])
  const call = await screen.findByRole('button', { name: /^Call T-021, ITR Filing/ })
  expect(await card()).toHaveTextContent(/T-021.*ITR Filing.*Priority.*Was passed 3 times and must be next/)
  expect(screen.queryByText('Asha')).toBeNull()
  expect(call).toHaveClass('ant-btn-primary')
  await person.keyboard('{F2}')
  expect(await screen.findByRole('button', { name: /^Called by mistake/ })).toBeVisible()
  expect(await card()).toHaveTextContent(
    /called \d:\d\d, Desk 3.*Asha.*Called \d:\d\d ago to Desk 3.*Brought Form 16/i,
  )
  const sent = office.requests('POST /api/visits/next')[0]
  expect(sent?.body).toEqual({ expect: 'visit-21' })
  expect(sent?.headers.get('Idempotency-Key')).toBeTruthy()
  office.answer('PUT /api/visits/visit-21/status', () => ({ visit: changed(called, 'start', 'in-session') }))
  await person.keyboard('{F2}')
  expect(await screen.findByText('Session started with Asha')).toBeInTheDocument()
  expect(office.requests('POST /api/visits/next')).toHaveLength(1)
})

test('a call whose answer was lost is repeated with the same key', async () => {
  const { office, person } = openDesk([])
  office.fail('POST /api/visits/next')
  const call = await screen.findByRole('button', { name: /^Call T-021/ })
  await person.click(call)
  expect(await screen.findByText('Failed to call the next visitor')).toBeInTheDocument()
  office.mend('POST /api/visits/next')
  await waitFor(() => expect(call).toBeEnabled())
  await person.keyboard('{F2}')
  await screen.findByRole('button', { name: 'Called by mistake' })
  const sent = office.requests('POST /api/visits/next').map(({ headers }) => headers.get('Idempotency-Key'))
  expect(sent).toHaveLength(2)
  expect(new Set(sent).size).toBe(1)
})

test('when another visitor is next by now, nobody is called: the card names the visitor, and F2 calls that one', async () => {
  const { office, person } = openDesk([])
  await screen.findByRole('button', { name: /^Call T-021/ })
  office.fail('POST /api/visits/next', 409, {
    error: 'T-022 is next now.',
    code: 'next_changed',
    params: { token: 'T-022' },
    request_id: 'r',
  })
  office.state.line = lineOf({ desks: [desk], line: [placeOf(1, 22), placeOf(2, 21)] })
  await person.keyboard('{F2}')
  expect(await screen.findByText('T-022 is next now.')).toBeVisible()
  expect(screen.queryByText('Failed to call the next visitor')).toBeNull()
  await screen.findByRole('button', { name: /^Call T-022/ })
  office.mend('POST /api/visits/next')
  await person.keyboard('{F2}')
  await waitFor(() =>
    expect(office.requests('POST /api/visits/next').map(({ body }) => body)).toEqual([
      { expect: 'visit-21' },
      { expect: 'visit-22' },
    ]),
  )
})

test('when another visitor comes first, the focus stays on the button that calls', async () => {
  const { office, person } = openDesk([])
  await screen.findByText('Connected')
  const call = await screen.findByRole('button', { name: /^Call T-021/ })
  call.focus()
  office.state.line = lineOf({ desks: [desk], line: [placeOf(1, 22), placeOf(2, 21)] })
  office.send({ type: 'status_update', data: { entity: 'line', entityId: 'line' } })
  expect(await screen.findByRole('button', { name: /^Call T-022/ })).toHaveFocus()
  await person.keyboard('{Enter}')
  await waitFor(() =>
    expect(office.requests('POST /api/visits/next')[0]?.body).toEqual({ expect: 'visit-22' }),
  )
})

test('the called visitor is called again, not here, on hold and transferred by keys', async () => {
  const { office, person } = openDesk([called], { line: [] })
  await screen.findByRole('button', { name: 'Called by mistake' })
  expect(screen.queryByRole('button', { name: /^Call T-/ })).toBeNull()
  await person.keyboard('{F8}')
  await waitFor(() => expect(office.requests('POST /api/visits/visit-21/recall')).toHaveLength(1))
  await person.keyboard('{F9}')
  await person.keyboard('{Escape}')
  await person.keyboard('{Shift>}{F8}{/Shift}')
  await waitFor(() => expect(office.requests('POST /api/visits/visit-21/miss')).toHaveLength(1))
  expect(await screen.findByText('No session in progress')).toBeVisible()
  expect(screen.getByText('1 on hold or not here')).toBeVisible()
})

test('Ctrl+F8 takes a call back at any time, and the visitor waits again', async () => {
  const { office, person } = openDesk([called], { line: [] })
  await screen.findByRole('button', { name: 'Called by mistake' })
  await person.keyboard('{Control>}{F8}{/Control}')
  await waitFor(() =>
    expect(office.requests('POST /api/visits/visit-21/release')[0]?.body).toEqual({ version: 1 }),
  )
  expect(await screen.findByRole('button', { name: /^Call T-021 Asha/ })).toBeVisible()
})

test('a visitor of the common line is called out of order from the menu, and started without a call', async () => {
  const { office, person } = openDesk([unknown], { line: [placeOf(1, 20), first] })
  const queue = await screen.findByRole('group', { name: 'My Queue' })
  const [, second] = within(queue).getAllByRole('listitem')
  if (!second) throw new Error('no second row')
  expect(second).toHaveTextContent(/T-021.*ITR Filing/)
  expect(queue).not.toHaveTextContent('Asha')
  await person.click(within(second).getByRole('button', { name: 'Actions for T-021' }))
  const items = await screen.findAllByRole('menuitem')
  expect(items.map(({ textContent }) => textContent)).toEqual(['Call'])
  await person.click(screen.getByRole('menuitem', { name: 'Call' }))
  await waitFor(() =>
    expect(office.requests('POST /api/visits/visit-21/call')[0]?.body).toEqual({ version: 2 }),
  )
})

test('Start Session of a visitor of the common line needs no assignment', async () => {
  const { office, person } = openDesk([])
  const started = changed({ ...unknown, ...mine }, 'start', 'in-session')
  office.answer('POST /api/visits/visit-21/start', () => ({ visit: started }))
  await person.click(await screen.findByRole('button', { name: 'Start Session' }))
  expect(await screen.findByText('Session started with Asha')).toBeInTheDocument()
  expect(office.requests('POST /api/visits/visit-21/start')[0]?.body).toEqual({ version: 2 })
  expect(screen.getByRole('timer')).toBeVisible()
})

test('Ctrl+F2 starts the first visitor of the queue without a call, also after a session', async () => {
  const [one, two] = [1, 2].map((number) => visitOf(number, { ...mine, status: 'approved' }))
  if (!one || !two) throw new Error('no visitors')
  const { office, person } = openDesk([one, two], { line: [] })
  const sessions = [one, two].map((visit) => {
    const path = `PUT /api/visits/${visit.id}/status`
    office.answer(path, () => {
      const { status } = office.requests(path).at(-1)?.body as Pick<Visit, 'status'>
      const before = office.state.visits.find(({ id }) => id === visit.id) ?? visit
      const after = changed(before, 'start', status === 'completed' ? 'completed' : 'in-session')
      office.state.visits = office.state.visits.map((of) => (of.id === visit.id ? after : of))
      return { visit: after }
    })
    return path
  })
  await screen.findByRole('button', { name: /^Call T-001/ })
  for (const path of sessions) {
    await person.keyboard('{Control>}{F2}{/Control}')
    await waitFor(() => expect(office.requests(path)).toHaveLength(1))
    await waitFor(() => expect(screen.getByLabelText('Session Notes')).toHaveFocus())
    await person.keyboard('{Control>}{Enter}{/Control}')
    await waitFor(() => expect(office.requests(path)).toHaveLength(2))
    await waitFor(() => expect(screen.queryByLabelText('Session Notes')).toBeNull())
  }
})

test('a consultant who leaves the desk is asked where the visitors go who wait for them alone', async () => {
  const waiting = visitOf(22, { ...mine, status: 'approved', queue: queueOf('waiting', { pinned: true }) })
  const { office, person } = openDesk([waiting])
  const own = await screen.findByRole('region', { name: 'My Desk' })
  await person.click(within(own).getByRole('button', { name: 'Change' }))
  await person.click(await screen.findByRole('button', { name: 'Off' }))
  const dialog = await dialogOf('Visitors wait for Nandini alone')
  expect(dialog).toHaveTextContent('1 visitor waits for this consultant alone: T-022.')
  await person.click(within(dialog).getByRole('button', { name: 'Continue' }))
  await waitFor(() =>
    expect(office.requests(`PUT /api/visits/desks/${user.id}`)[0]?.body).toEqual({ state: 'off' }),
  )
  expect(office.requests('POST /api/visits/visit-22/transfer')[0]?.body).toEqual({
    consultant_id: null,
    version: 1,
  })
})

test('a completed session is opened again from its menu', async () => {
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata' }).format(new Date())
  const done = visitOf(23, { ...mine, day, name: 'Ravi', status: 'completed', queue: queueOf('completed') })
  const { office, person } = openDesk([done])
  await person.click(await screen.findByRole('button', { name: 'Actions for T-023' }))
  await person.click(await screen.findByRole('menuitem', { name: 'Open again' }))
  await waitFor(() => expect(office.requests('POST /api/visits/visit-23/reopen')).toHaveLength(1))
  const queue = screen.getByRole('region', { name: 'My Queue' })
  await waitFor(() => expect(queue).toHaveTextContent('Ravi'))
})
