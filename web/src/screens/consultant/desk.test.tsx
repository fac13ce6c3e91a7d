import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Desk, Place, Visit } from '@/api/types'
import { deskOf, inStatus, lineOf, mine, placeOf, queueOf, userOf, visitOf } from '@/test/fixtures'
import { openOffice } from '@/test/office'
import { renderApp } from '@/test/render-app'

const user = userOf('consultant')
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString()

type Opening = { desk?: Partial<Desk>; others?: Desk[]; line?: Place[]; visits?: Visit[] }

function open({ desk = {}, others = [], line = [], visits = [] }: Opening) {
  const own = deskOf(user.id, user.name, { counterRequired: true, ...desk })
  const office = openOffice({ user, visits, line: lineOf({ desks: [own, ...others], line }) })
  const path = `PUT /api/visits/desks/${user.id}`
  office.answer(path, () => ({ desk: { ...own, ...(office.requests(path).at(-1)?.body as object) } }))
  return {
    office,
    opened: () => office.requests(path).map(({ body }) => body),
    ...renderApp('/dashboard/consultant'),
  }
}

const filled = () => document.querySelectorAll('.ant-btn-primary')

test('a closed desk asks for its number, and F2 opens it', async () => {
  const { opened, person } = open({ desk: { state: 'off' }, line: [placeOf(1, 1), placeOf(2, 2)] })
  expect(await screen.findByText('Open your desk to begin')).toBeVisible()
  expect(screen.getByText('2 visitors wait for you')).toBeVisible()
  expect([...filled()].map(({ textContent }) => textContent)).toEqual(['Open desk F2'])
  expect(screen.queryByRole('button', { name: /^Call/ })).toBeNull()
  await person.keyboard('{F2}')
  await waitFor(() => expect(screen.getByText('Please enter the desk number')).toBeVisible())
  expect(screen.getByLabelText('Desk number')).toHaveFocus()
  await person.keyboard('7{Enter}')
  expect(await screen.findByRole('button', { name: /^Call T-001/ })).toHaveFocus()
  expect(opened()).toEqual([{ state: 'open', counter: '7' }])
  expect(screen.getAllByText('Desk 7 open')).toHaveLength(2) // the head and My Desk
})

test("the number is the desk's own, else the one that the admin suggests", async () => {
  const { opened, person } = open({ desk: { state: 'off', defaultCounter: '4' } })
  expect(await screen.findByLabelText('Desk number')).toHaveValue('4')
  await person.keyboard('{F2}')
  await waitFor(() => expect(opened()).toEqual([{ state: 'open', counter: '4' }]))
})

test('an open card follows the suggestion until a number is typed', async () => {
  const { office, person } = open({ desk: { state: 'off', defaultCounter: '4' } })
  const field = await screen.findByLabelText('Desk number')
  const suggest = (defaultCounter: string) => {
    const own = deskOf(user.id, user.name, { state: 'off', counterRequired: true, defaultCounter })
    office.state.line = lineOf({ desks: [own] })
    office.send({ type: 'status_update', data: { entity: 'consultant', entityId: user.id } })
  }
  suggest('6')
  await waitFor(() => expect(field).toHaveValue('6'))
  await person.clear(field)
  await person.type(field, '8')
  const before = office.requests('GET /api/visits/desks').length
  suggest('9')
  await waitFor(() => expect(office.requests('GET /api/visits/desks').length).toBeGreaterThan(before))
  expect(field).toHaveValue('8')
})

test('a number in use is allowed, and the card says whose it is', async () => {
  const others = [
    deskOf('imran', 'Imran Sheikh', { counter: '3' }),
    deskOf('zoya', 'Zoya', { state: 'off', counter: '5' }),
  ]
  const { person } = open({ desk: { state: 'off', counter: '3' }, others })
  expect(await screen.findByText("Desk 3 is also Imran Sheikh's")).toBeVisible()
  await person.clear(screen.getByLabelText('Desk number'))
  await person.type(screen.getByLabelText('Desk number'), '5')
  expect(screen.queryByText(/is also/)).toBeNull()
})

test('a break is ended by the filled button, which keeps the number', async () => {
  const { opened, person } = open({
    desk: { state: 'break', counter: '3', backAt: '2026-11-20T08:15:00.000Z' },
  })
  const [words] = await screen.findAllByText('On break until 1:45 PM')
  expect(words).toBeVisible()
  await person.click(screen.getByRole('button', { name: /^End the break/ }))
  await waitFor(() => expect(opened()).toEqual([{ state: 'open', counter: '3' }]))
})

test('an open desk without a number calls nobody until it has one', async () => {
  const { opened, person } = open({ line: [placeOf(1, 1)] })
  expect(await screen.findByRole('button', { name: /^Save number/ })).toBeVisible()
  expect(screen.getAllByText('Desk open, no number')).toHaveLength(2)
  await person.type(screen.getByLabelText('Desk number'), '2{Enter}')
  await waitFor(() => expect(opened()).toEqual([{ state: 'open', counter: '2' }]))
})

test('the only desk of an office needs no number', async () => {
  open({ desk: { counterRequired: false }, line: [placeOf(1, 1)] })
  expect(await screen.findByRole('button', { name: /^Call T-001/ })).toBeEnabled()
})

test('a desk that takes its last visitors leaves the common line to the colleagues', async () => {
  open({ desk: { state: 'last', counter: '3' } })
  expect(await screen.findByText('The common line is left to your colleagues.')).toBeVisible()
  expect(screen.getAllByText('Desk 3, last visitors')).toHaveLength(2)
})

test('a new account is told that the desk is being prepared, until it is there', async () => {
  const { office } = open({})
  const own = office.state.line ?? lineOf()
  office.state.line = lineOf()
  expect(await screen.findByText('Your desk is being prepared')).toBeVisible()
  office.state.line = own
  expect(await screen.findByText('Open your desk to begin')).toBeVisible()
})

test('an admin has no desk: the card is empty and My Queue has the own visits', async () => {
  const office = openOffice({ user: userOf('admin'), line: lineOf({ line: [placeOf(1, 1)] }) })
  renderApp('/dashboard/consultant')
  expect(await screen.findByText('No session in progress')).toBeVisible()
  expect(screen.getByText('No visitors in queue')).toBeVisible()
  expect(office.requests('POST /api/visits/next')).toEqual([])
})

/** A visitor who was called twice, the last time 42 seconds ago. */
function calledVisitor(call: Partial<NonNullable<Visit['queue']['call']>> = {}, ago = 42) {
  const followed = {
    recallAt: inSeconds(-32),
    missAt: inSeconds(-32),
    nudgeAt: inSeconds(3_600),
    autoRecallAt: null,
    autoMissAt: null,
    bySystem: false,
    ...call,
  }
  const queue = queueOf('called', { counter: '3', callCount: 2, calledAt: inSeconds(-ago), call: followed })
  return visitOf(1, { ...mine, status: 'approved', queue })
}

test('what is not possible yet counts down, in the card and in the menu', async () => {
  const called = calledVisitor({ missAt: inSeconds(600) })
  const { office, person } = open({ desk: { counter: '3' }, visits: [called] })
  await screen.findByRole('button', { name: 'Called by mistake' })
  const card = screen.getByRole('region', { name: 'Current Session' })
  await waitFor(() => expect(card).toHaveTextContent(/Called 2 times, last \d:\d\d ago to Desk 3/))
  expect(within(card).getByRole('button', { name: 'Call again' })).toBeEnabled()
  const soon = within(card).getByRole('button', { name: /^Not here in \d+:\d\d$/ })
  expect(soon).toBeDisabled()
  const shown = soon.textContent
  await waitFor(() => expect(soon).not.toHaveTextContent(shown))
  await person.keyboard('{Shift>}{F8}{/Shift}')
  await person.click(screen.getByRole('button', { name: 'Actions for T-001' }))
  expect(await screen.findByRole('menuitem', { name: /^Not here in/ })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await person.keyboard('{Escape}')
  office.state.visits = [{ ...calledVisitor(), version: 2 }]
  office.send({ type: 'status_update', data: { visitId: called.id, version: 2, token: called.token } })
  await waitFor(() => expect(within(card).getByRole('button', { name: 'Not here' })).toBeEnabled())
  expect(office.requests('POST /api/visits/visit-1/miss')).toEqual([])
})

test('a call that was not answered has the time since it, and the wide edge', async () => {
  const late = calledVisitor({ nudgeAt: inSeconds(-10) }, 130)
  open({ desk: { counter: '3' }, visits: [late] })
  const [tag] = await screen.findAllByText(/^not come/)
  expect(tag).toHaveTextContent(/^not come \d:\d\d, Desk 3$/)
  expect(tag?.parentElement).toHaveAttribute('data-stage', 'called')
  expect(tag?.parentElement).toHaveAttribute('data-status', 'approved')
})

test('in My Queue a called visitor is first, then the line, then assigned visitors without a place', async () => {
  const others = [2, 3].map((number) =>
    visitOf(number, { ...mine, status: 'approved', name: `Own ${number}` }),
  )
  const pinned = placeOf(2, 3, {
    pinnedTo: { id: user.id, name: user.name },
    reasons: [
      { code: 'first_by_due', values: {} },
      { code: 'pinned', values: { consultant: user.name } },
    ],
  })
  const priority = placeOf(1, 9, {
    reasons: [
      { code: 'first_by_due', values: {} },
      { code: 'class', values: { class: 'priority', minutes: 10 } },
    ],
  })
  open({ desk: { counter: '3' }, visits: [...others, calledVisitor()], line: [priority, pinned] })
  const queue = await screen.findByRole('group', { name: 'My Queue' })
  const rows = within(queue).getAllByRole('listitem')
  expect(rows.map((row) => /T-\d+/.exec(row.textContent)?.[0])).toEqual(['T-001', 'T-009', 'T-003', 'T-002'])
  expect(rows[1]).toHaveTextContent(/ITR Filing.*Priority: goes before others/)
  expect(rows[2]).toHaveTextContent(/Own 3.*Asked for you/)
  expect(rows.map((row) => within(row).queryByText('Next') !== null)).toEqual([true, false, false, false])
  const starts = within(queue).getAllByRole('button', { name: 'Start Session' })
  expect(starts.map((start) => start.hasAttribute('disabled'))).toEqual([false, true, true, true])
  expect(screen.getByRole('heading', { name: 'My Queue' }).nextElementSibling).toHaveTextContent('4')
})

test('an assigned visitor is added with the place in the line, not before it is known', async () => {
  const { office } = open({ desk: { counter: '3' } })
  expect(await screen.findByText('No visitors in queue')).toBeVisible()
  const release = office.hold('GET /api/visits/line')
  const added = visitOf(5, { ...mine, status: 'approved', name: 'Added' })
  office.state.visits = [added]
  office.state.line = lineOf({
    ...office.state.line,
    line: [placeOf(1, 5, { pinnedTo: { id: user.id, name: user.name } })],
  })
  office.send({ type: 'status_update', data: { visitId: added.id, version: 2, token: added.token } })
  expect(await screen.findByText('Busy')).toBeVisible() // The visits have been read
  expect(screen.getByText('No visitors in queue')).toBeVisible()
  release()
  const queue = await screen.findByRole('group', { name: 'My Queue' })
  expect(within(queue).getAllByRole('listitem')).toHaveLength(1)
  expect(queue).toHaveTextContent('Added')
})

/** Opens the screen in a session at a closed desk. `left` are the visits that remain after the session. */
function openInSession(...left: Visit[]) {
  const running = visitOf(1, { ...mine, status: 'in-session', startedAt: inSeconds(-60) })
  const { office, person } = open({ desk: { state: 'off' }, visits: [running, ...left] })
  office.answer('PUT /api/visits/visit-1/status', () => {
    const done = inStatus(running, 'completed')
    office.state.visits = [done, ...left]
    return { visit: done }
  })
  return person
}

test('after a session at a closed desk the next visitor has the focus', async () => {
  const person = openInSession(visitOf(2, { ...mine, status: 'approved' }))
  await person.type(await screen.findByLabelText('Session Notes'), '{Control>}{Enter}{/Control}')
  expect(await screen.findByText('Open your desk to begin')).toBeVisible()
  await waitFor(() => expect(screen.getByRole('button', { name: 'Start Session' })).toHaveFocus())
})

test('after a session the filled button has the focus if there are only visitors on hold', async () => {
  const person = openInSession(visitOf(2, { ...mine, status: 'approved', queue: queueOf('held') }))
  await person.type(await screen.findByLabelText('Session Notes'), '{Control>}{Enter}{/Control}')
  await waitFor(() => expect(screen.getByRole('button', { name: /^Open desk/ })).toHaveFocus())
})
