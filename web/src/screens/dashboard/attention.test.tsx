import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Attention, Role, Visit } from '@/api/types'
import { dialogOf } from '@/test/dialog-of'
import { deskOf, lineOf, placeOf, queueOf, userOf, visitOf } from '@/test/fixtures'
import { liveThrough } from '@/test/life'
import { openOffice } from '@/test/office'
import { renderApp } from '@/test/render-app'

const now = Date.parse('2026-11-20T06:30:00.000Z')
const minutesAgo = (minutes: number) => new Date(now - minutes * 60_000).toISOString()

beforeEach(() => {
  document.title = 'Baari'
  // Times on the screen do not depend on how long a test takes.
  vi.useFakeTimers({ toFake: ['Date'], now })
})
afterEach(() => void vi.useRealTimers())

const called = visitOf(10, {
  name: 'Joseph Pinto',
  status: 'approved',
  queue: queueOf('called', { counter: '2', callCount: 1, calledAt: minutesAgo(4) }),
})
const seated = visitOf(12, { name: 'Imran Qureshi', status: 'in-session' })
const pinned = visitOf(16, { name: 'Meena Sharma', status: 'approved' })
const waiting = visitOf(17, { name: 'Thomas Mathew', status: 'approved' })
const visits = [called, seated, pinned, waiting]

const entryOf = (kind: Attention['kind'], of: Visit | undefined, more: Partial<Attention>): Attention => ({
  id: `need-${kind}`,
  kind,
  since: minutesAgo(4),
  ...(of
    ? {
        visit: {
          id: of.id,
          token: of.token,
          name: of.name,
          service: of.service.name,
          stage: of.queue.stage,
          version: of.version,
        },
      }
    : {}),
  values: {},
  actions: [],
  ...more,
})

const nisha = { id: 'consultant-n', name: 'Nisha Bhat' }
const five: Attention[] = [
  entryOf('call_unanswered', called, { counter: '2', values: { calls: 1 }, actions: ['recall', 'miss'] }),
  entryOf('desk_without_number', undefined, { consultant: nisha, actions: ['number'] }),
  entryOf('papers_missing', seated, {
    counter: '3',
    values: { paper: { key: 'form-16', label: 'Form 16' } },
    actions: ['papers'],
  }),
  entryOf('waiting_long', waiting, { since: minutesAgo(12), actions: ['show', 'call'] }),
  entryOf('pin_away', pinned, { consultant: nisha, values: { desk: 'off' }, actions: ['line'] }),
]

function openFor(role: Role, attention: Attention[] = five) {
  const desks = [deskOf(nisha.id, nisha.name, { counterRequired: true, defaultCounter: '7' })]
  const office = openOffice({
    user: userOf(role),
    visits,
    line: lineOf({ desks, line: [placeOf(1, 17), placeOf(2, 16)] }),
  })
  liveThrough(office, visits)
  const list = { attention, nextAt: null as string | null }
  office.answer('GET /api/visits/attention', () => ({ ...list }))
  office.answer(`PUT /api/visits/desks/${nisha.id}`, () => ({
    desk: { ...desks[0], ...(office.seen.at(-1)?.body as object) },
  }))
  office.answer('GET /api/visits/{id}/documents', () => ({ documents: [], version: 0 }))
  /** Changes the list, and sends an event that makes the screen read it. */
  const changeTo = (kinds: Attention[]) => {
    list.attention = kinds
    office.send({ type: 'status_update', data: { entity: 'line', entityId: 'line' } })
  }
  const home = { reception: 'receptionist', pa: 'pa', consultant: 'consultant', admin: 'admin' }[role]
  return { office, list, changeTo, ...renderApp(`/dashboard/${home}`) }
}

const strip = () => screen.findByRole('region', { name: 'Needs attention' })
const sentences = (place: HTMLElement) =>
  within(place)
    .getAllByRole('listitem')
    .map((entry) => entry.querySelector('.attention-what span, .attention-sheet-what b')?.textContent)

async function openSheet(person: ReturnType<typeof openFor>['person']) {
  const [first] = within(await strip()).getAllByRole('button')
  if (first) await person.click(first)
  return screen.findByRole('dialog', { name: 'Needs attention' })
}

/** Under test the animation that closes the sheet never ends, so it stays visible. */
const isOpen = (sheet: HTMLElement) => !sheet.className.includes('-leave')

test('the head lists five kinds in the order of the server, and the title begins with their number', async () => {
  openFor('pa')
  expect(sentences(await strip())).toEqual([
    'T-010 has not come, 4:00',
    "Nisha Bhat's desk has no number",
    'T-012, Desk 3: Form 16 is missing',
    'T-017 waits 12 min longer than promised',
    'T-016 waits for Nisha Bhat, desk closed',
  ])
  expect(document.title).toBe('(5) Baari')
})

test('the sheet has every button of an entry, and Escape closes it', async () => {
  const { person } = openFor('pa')
  const sheet = await openSheet(person)
  expect(within(sheet).getAllByRole('listitem')).toHaveLength(5)
  expect(
    within(sheet)
      .getAllByRole('button', { name: /:/ })
      .map(({ textContent }) => textContent),
  ).toEqual(['Call again', 'Not here', 'Set number', 'Papers...', 'Show', 'Call for...', 'To the line'])
  expect(sheet).toHaveTextContent('Joseph Pinto, ITR Filing')
  await person.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Needs attention' })).toBeNull())
  expect(within(await strip()).getAllByRole('button')[0]).toHaveFocus()
})

test.each([
  ['Call again: T-010', '/api/visits/visit-10/recall', { version: 1 }],
  ['Not here: T-010', '/api/visits/visit-10/miss', { version: 1 }],
  ['To the line: T-016', '/api/visits/visit-16/pin', { consultant_id: null, version: 1 }],
])('%s sends its request once', async (name, path, body) => {
  const { person, office } = openFor('pa')
  const sheet = await openSheet(person)
  await person.dblClick(within(sheet).getByRole('button', { name }))
  await waitFor(() => expect(office.requests(`POST ${path}`)).toHaveLength(1))
  expect(office.requests(`POST ${path}`)[0]?.body).toEqual(body)
})

test('a desk gets its number in a dialog, which begins with the suggested one', async () => {
  const { person, office } = openFor('admin')
  const sheet = await openSheet(person)
  await person.click(within(sheet).getByRole('button', { name: 'Set number: Nisha Bhat' }))
  const dialog = await dialogOf('Desk of Nisha Bhat')
  const field = within(dialog).getByLabelText('Desk number')
  expect(field).toHaveValue('7')
  await person.type(field, '{Enter}')
  const path = `PUT /api/visits/desks/${nisha.id}`
  await waitFor(() => expect(office.requests(path)).toHaveLength(1))
  expect(office.requests(path)[0]?.body).toEqual({ state: 'open', counter: '7' })
  await waitFor(() => expect(dialog).not.toBeInTheDocument())
})

test.each([
  ['Papers...: T-012', 'Papers of T-012'],
  ['Call for...: T-017', 'Call T-017 for'],
])('%s opens its dialog, and the sheet is there again after it', async (name, title) => {
  const { person } = openFor('pa')
  const sheet = await openSheet(person)
  await person.click(within(sheet).getByRole('button', { name }))
  const dialog = await dialogOf(title)
  await waitFor(() => expect(isOpen(sheet)).toBe(false))
  await person.click(within(dialog).getByRole('button', { name: 'Go back' }))
  await waitFor(() => expect(dialog).not.toBeInTheDocument())
  await waitFor(() => expect(isOpen(sheet)).toBe(true))
})

test('when the desk of the dialog goes away, the sheet is there again', async () => {
  const { person, office } = openFor('admin')
  await screen.findByText('Connected')
  const sheet = await openSheet(person)
  await person.click(within(sheet).getByRole('button', { name: 'Set number: Nisha Bhat' }))
  const dialog = await dialogOf('Desk of Nisha Bhat')
  await waitFor(() => expect(isOpen(sheet)).toBe(false))
  office.state.line = lineOf()
  office.send({ type: 'status_update', data: { entity: 'desk', entityId: nisha.id } })
  await waitFor(() => expect(dialog).not.toBeInTheDocument())
  await waitFor(() => expect(isOpen(sheet)).toBe(true))
})

test('when the services cannot be loaded for a dialog, the sheet is there again', async () => {
  const { person, office } = openFor('pa')
  const services = 'GET /api/services'
  office.fail(services)
  await screen.findByText('Connected')
  await screen.findByText('Failed to load services')
  const sheet = await openSheet(person)
  const { length: before } = office.requests(services)
  await person.click(within(sheet).getByRole('button', { name: 'Papers...: T-012' }))
  // A request and its repetition.
  await waitFor(() => expect(office.requests(services).length).toBeGreaterThan(before + 1))
  await waitFor(() => expect(isOpen(sheet)).toBe(true))
})

test('Show leads the PA to the place in the line', async () => {
  const { person, router } = openFor('pa')
  await person.click(within(await openSheet(person)).getByRole('button', { name: 'Show: T-017' }))
  await waitFor(() => expect(router.state.location.search).toBe('?tab=line'))
  await waitFor(() => expect(document.activeElement).toHaveAttribute('data-visit', 'visit-17'))
})

test('Show puts the ticket on the screen of reception', async () => {
  const { person } = openFor('reception')
  await person.click(within(await openSheet(person)).getByRole('button', { name: 'Show: T-017' }))
  expect(await screen.findByRole('article', { name: 'Token T-017' })).toBeVisible()
})

test('an appointment that has not come leads to the list of appointments', async () => {
  const late = entryOf('appointment_late', undefined, {
    since: '2026-11-20T05:30:00.000Z',
    values: { service: 'GST Registration' },
    actions: ['show'],
  })
  const { person, router } = openFor('reception', [late])
  expect(await strip()).toHaveTextContent('11:00 AM GST Registration has not come')
  await person.click(screen.getByRole('button', { name: 'Show: GST Registration' }))
  await waitFor(() => expect(router.state.location.search).toBe('?tab=appointments'))
})

test('entries come and go with the events, and a kind of a later release is passed over', async () => {
  const { changeTo } = openFor('pa', [])
  await screen.findByText('Connected')
  const later = {
    ...entryOf('pin_away', pinned, {}),
    id: 'later',
    kind: 'printer_empty' as Attention['kind'],
  }
  changeTo([later, ...five.slice(0, 2)])
  expect(sentences(await strip())).toHaveLength(2)
  changeTo(five.slice(1, 2))
  await waitFor(async () => expect(sentences(await strip())).toEqual(["Nisha Bhat's desk has no number"]))
  changeTo([])
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Needs attention' })).toBeNull())
  await waitFor(() => expect(document.title).toBe('Baari'))
})

test('entries that come at once are all announced', async () => {
  const { changeTo } = openFor('pa', five.slice(4))
  expect(sentences(await strip())).toHaveLength(1)
  await screen.findByText('Connected')
  changeTo([...five.slice(0, 2), ...five.slice(4)])
  await waitFor(async () => expect(sentences(await strip())).toHaveLength(3))
  const said = screen.getAllByRole('status').map(({ textContent }) => textContent)
  expect(said).toContain("T-010 has not come, 4:00Nisha Bhat's desk has no number")
})

test('Shift+F2 goes to the first entry, also if only a later one has a button', async () => {
  const { person } = openFor('pa', [
    entryOf('desk_without_number', undefined, { consultant: nisha }),
    entryOf('pin_away', pinned, { consultant: nisha, values: { desk: 'off' }, actions: ['line'] }),
  ])
  const [first] = within(await strip()).getAllByRole('button')
  await person.keyboard('{Shift>}{F2}{/Shift}')
  expect(first).toHaveFocus()
})

test('when the entry with the focus goes away, the next one has the focus, and at last the title', async () => {
  const { person, changeTo } = openFor('pa', five.slice(3))
  await screen.findByText('Connected')
  await strip()
  await person.keyboard('{Shift>}{F2}{/Shift}')
  expect(screen.getByRole('button', { name: 'Show: T-017' })).toHaveFocus()
  changeTo(five.slice(4))
  const next = 'T-016 waits for Nisha Bhat, desk closed'
  await waitFor(() => expect(screen.getByRole('button', { name: next })).toHaveFocus())
  changeTo([])
  await waitFor(() => expect(screen.getByRole('heading', { name: 'PA Dashboard' })).toHaveFocus())
})

test('the list is read again when it changes without an event', async () => {
  const { office, list } = openFor('pa', [])
  list.nextAt = new Date(now + 1_000).toISOString()
  await waitFor(() => expect(office.requests('GET /api/visits/attention').length).toBeGreaterThan(1))
})

test('a call that was just repeated counts down in place of its buttons', async () => {
  const call = {
    recallAt: new Date(now + 8_000).toISOString(),
    missAt: minutesAgo(1),
    nudgeAt: minutesAgo(1),
    autoRecallAt: null,
    autoMissAt: null,
    bySystem: true,
  }
  const again = { ...called, queue: { ...called.queue, call } }
  const { office } = openFor('pa', [
    entryOf('call_unanswered', again, { values: { calls: 2, bySystem: true }, actions: ['miss'] }),
  ])
  office.state.visits = [again]
  expect(await screen.findByRole('button', { name: 'Call again in 0:09: T-010' })).toBeDisabled()
})

test('a consultant has no list of what needs attention', async () => {
  const { office } = openFor('consultant')
  await screen.findByText('Connected')
  await waitFor(() => expect(office.requests('GET /api/due-dates').length).toBeGreaterThan(0))
  expect(office.requests('GET /api/visits/attention')).toEqual([])
  expect(screen.queryByRole('region', { name: 'Needs attention' })).toBeNull()
})
