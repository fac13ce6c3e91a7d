import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Line, Visit } from '@/api/types'
import { deskOf, lineOf, mine, placeOf, queueOf, userOf, visitOf } from '@/test/fixtures'
import { changed, liveThrough } from '@/test/life'
import { dialogOf } from '@/test/dialog-of'
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

test('Next shows whom it would bring without the name, and F2 calls and then starts', async () => {
  const { office, person } = openDesk([])
  const panel = await screen.findByRole('region', { name: 'My Desk' })
  await waitFor(() => expect(panel).toHaveTextContent('T-021'))
  expect(panel).toHaveTextContent(/ITR Filing.*Priority.*Was passed 3 times and must be next.*1 waiting/)
  expect(screen.queryByText('Asha')).toBeNull()
  await person.keyboard('{F2}')
  const card = await screen.findByRole('region', { name: 'Called' })
  expect(card).toHaveTextContent(/called, Desk 3.*Asha.*Brought Form 16/)
  expect(office.requests('POST /api/visits/next')[0]?.headers.get('Idempotency-Key')).toBeTruthy()
  office.answer('PUT /api/visits/visit-21/status', () => ({ visit: changed(called, 'start', 'in-session') }))
  await person.keyboard('{F2}')
  expect(await screen.findByText('Session started with Asha')).toBeInTheDocument()
  expect(office.requests('POST /api/visits/next')).toHaveLength(1)
})

test('a call whose answer was lost is repeated with the same key', async () => {
  const { office, person } = openDesk([])
  office.fail('POST /api/visits/next')
  const next = await screen.findByRole('button', { name: /^Next/ })
  await waitFor(() => expect(next).toBeEnabled())
  await person.click(next)
  expect(await screen.findByText('Failed to call the next visitor')).toBeInTheDocument()
  office.mend('POST /api/visits/next')
  await waitFor(() => expect(next).toBeEnabled())
  await person.keyboard('{F2}')
  await screen.findByRole('region', { name: 'Called' })
  const sent = office.requests('POST /api/visits/next').map(({ headers }) => headers.get('Idempotency-Key'))
  expect(sent).toHaveLength(2)
  expect(new Set(sent).size).toBe(1)
})

test('the called visitor is called again, not here, on hold and transferred by keys', async () => {
  const { office, person } = openDesk([called])
  await screen.findByRole('region', { name: 'Called' })
  expect(await screen.findByRole('button', { name: /^Next/ })).toBeDisabled()
  await person.keyboard('{F8}')
  await waitFor(() => expect(office.requests('POST /api/visits/visit-21/recall')).toHaveLength(1))
  await person.keyboard('{F9}')
  await person.keyboard('{Escape}')
  await person.keyboard('{Shift>}{F8}{/Shift}')
  await waitFor(() => expect(office.requests('POST /api/visits/visit-21/miss')).toHaveLength(1))
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Called' })).toBeNull())
  expect(screen.getByText('1 on hold or not here')).toBeVisible()
})

test('the line for the consultant has no names, and a visitor is called out of order from it', async () => {
  const { office, person } = openDesk([unknown])
  const line = await screen.findByRole('region', { name: 'Line for you' })
  await waitFor(() => expect(line).toHaveTextContent('T-021'))
  expect(line).not.toHaveTextContent('Visitor 21')
  await person.click(within(line).getByRole('button', { name: 'Call now: T-021' }))
  await waitFor(() =>
    expect(office.requests('POST /api/visits/visit-21/call')[0]?.body).toEqual({ version: 2 }),
  )
})

test('a consultant who leaves the desk is asked where the visitors go who wait for them alone', async () => {
  const waiting = visitOf(22, { ...mine, status: 'approved', queue: queueOf('waiting', { pinned: true }) })
  const { office, person } = openDesk([waiting])
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

test('Next is not offered on a break, and a closed desk is opened by it', async () => {
  openDesk([], { desks: [{ ...desk, state: 'break' }] })
  expect(await screen.findByText('Open your desk to call the next visitor.')).toBeVisible()
  expect(await screen.findByRole('button', { name: /^Next/ })).toBeDisabled()
  expect(screen.getByText('On break')).toHaveClass('chip')
  expect(screen.queryByText('Available')).toBeNull()
})
