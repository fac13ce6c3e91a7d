import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Line } from '@/api/types'
import { deskOf, forecastOf, lineOf, placeOf, queueOf, userOf, visitOf } from '@/test/fixtures'
import { liveThrough } from '@/test/life'
import { dialogOf } from '@/test/dialog-of'
import { openOffice } from '@/test/office'
import { renderApp } from '@/test/render-app'

const visits = [21, 22, 23].map((number) => visitOf(number, { status: 'approved', version: 2 }))
const line = lineOf({
  line: [placeOf(1, 21), placeOf(2, 22, { bypassed: 3 }), placeOf(3, 23, { bypassed: 1 })],
  desks: [deskOf('zoya', 'Zoya'), deskOf('rao', 'CA Rao', { state: 'off' })],
})

function openLine(more: Partial<Line> = {}, at = '?tab=line') {
  const office = openOffice({ user: userOf('pa'), visits, line: { ...line, ...more } })
  liveThrough(office, visits)
  return { office, ...renderApp(`/dashboard/pa${at}`) }
}
const rows = async () => {
  const list = await screen.findByRole('group', { name: 'Line' })
  return within(list).getAllByRole('listitem')
}
const tokens = async () => (await rows()).map((row) => /T-\d+/.exec(row.textContent)?.[0])

test('the line shows place, reason, times and how often a visitor was passed', async () => {
  openLine()
  const [, second, third] = await rows()
  expect(second).toHaveTextContent(/2.*T-022.*Visitor 22.*ITR Filing.*Passed 3 of 3/)
  expect(third).toHaveTextContent('Passed once')
  expect(screen.getByRole('group', { name: 'Consultants' })).toHaveTextContent(
    /Zoya.*Desk open.*CA Rao.*Desk closed/,
  )
})

test('each tab has the number of its rows, and only the chosen list is shown', async () => {
  const { person } = openLine({}, '')
  expect(await screen.findByRole('tab', { name: 'Line 3' })).toHaveAttribute('aria-selected', 'false')
  await person.click(screen.getByRole('tab', { name: 'Pending Approvals 0' }))
  expect(screen.queryByRole('group', { name: 'Line' })).toBeNull()
  await person.click(screen.getByRole('tab', { name: 'Line 3' }))
  expect(await rows()).toHaveLength(3)
  expect(screen.queryByRole('region', { name: 'Pending Approvals' })).toBeNull()
})

test('the arrow keys choose, Alt with them moves for a reason, and the place is shown at once', async () => {
  const { office, person } = openLine()
  await rows()
  await person.keyboard('{F8}')
  await waitFor(async () => expect((await rows())[0]).toHaveFocus())
  await person.keyboard('{ArrowDown}{ArrowDown}')
  expect((await rows())[2]).toHaveFocus()
  const release = office.hold('POST /api/visits/visit-23/move')
  await person.keyboard('{Alt>}{ArrowUp}{/Alt}')
  await dialogOf('Move T-023 before T-022')
  await person.keyboard('{Enter}')
  await waitFor(async () => expect(await tokens()).toEqual(['T-021', 'T-023', 'T-022']))
  release()
  await waitFor(() =>
    expect(office.requests('POST /api/visits/visit-23/move')[0]?.body).toEqual({
      before: 'visit-22',
      reason: 'Asked for at the desk',
      version: 2,
    }),
  )
})

test('a move past a visitor who must be next is asked again and forced', async () => {
  const { office, person } = openLine()
  office.fail('POST /api/visits/visit-23/move', 409, {
    error: 'x',
    code: 'would_bypass',
    params: { token: 'T-022', times: 3 },
    request_id: 'r',
  })
  await rows()
  await person.keyboard('{F8}')
  await waitFor(async () => expect((await rows())[0]).toHaveFocus())
  await person.keyboard('{ArrowDown}{ArrowDown}{Alt>}{ArrowUp}{/Alt}')
  const dialog = await dialogOf('Move T-023 before T-022')
  await person.click(within(dialog).getByRole('button', { name: 'Move' }))
  expect(await within(dialog).findByRole('alert')).toHaveTextContent(
    'T-022 has been passed 3 times and must be next.',
  )
  office.mend('POST /api/visits/visit-23/move')
  await person.click(await within(dialog).findByRole('button', { name: /Move anyway$/ }))
  await waitFor(() =>
    expect(office.requests('POST /api/visits/visit-23/move').at(-1)?.body).toMatchObject({ force: true }),
  )
})

test('Enter opens the menu of a visitor, who is pinned to a consultant from it', async () => {
  const { office, person } = openLine()
  await rows()
  await person.keyboard('{F8}')
  await waitFor(async () => expect((await rows())[0]).toHaveFocus())
  await person.keyboard('{Enter}')
  // Menus and lists ignore the pointer while they open.
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Pin...' }))
  const dialog = await dialogOf('Pin T-021 to')
  await person.click(within(dialog).getByLabelText('Consultant'))
  fireEvent.click(await screen.findByText('Zoya', { selector: '.consultant-choice b' }))
  await person.click(within(dialog).getByRole('button', { name: 'Pin' }))
  await waitFor(() =>
    expect(office.requests('POST /api/visits/visit-21/pin')[0]?.body).toEqual({
      consultant_id: 'zoya',
      version: 2,
    }),
  )
})

test('who is left over from earlier days is put back one by one or all at once', async () => {
  const old = [31, 32].map((number) =>
    visitOf(number, { day: '2020-01-02', status: 'approved', queue: queueOf('held') }),
  )
  const { office, person } = openLine({ leftOver: old })
  liveThrough(office, old)
  expect(await screen.findAllByText('From 2 Jan 2020')).toHaveLength(2)
  await person.click(screen.getByRole('button', { name: 'All back today' }))
  await waitFor(() => expect(office.requests('POST /api/visits/visit-32/resume')).toHaveLength(1))
  expect(office.requests('POST /api/visits/visit-31/resume')).toHaveLength(1)
})

test('a pending visitor goes to the line without a consultant', async () => {
  const waiting = visitOf(41)
  const office = openOffice({ user: userOf('pa'), visits: [waiting], line })
  office.answer('PUT /api/visits/visit-41/status', () => ({
    visit: { ...waiting, status: 'approved', version: 2, queue: queueOf('waiting') },
  }))
  const { person } = renderApp('/dashboard/pa')
  await person.click(await screen.findByRole('button', { name: 'Send to line' }))
  expect(await screen.findByText('Visitor approveed successfully')).toBeInTheDocument()
  expect(office.requests('PUT /api/visits/visit-41/status')[0]?.body).toEqual({
    status: 'approved',
    notes: '',
    line: true,
  })
})

test('the closing sheet carries a visitor over, or takes the leave', async () => {
  const { office, person } = openLine({}, '')
  await person.click(await screen.findByRole('button', { name: 'Close the day' }))
  await person.click(await screen.findByRole('button', { name: 'Carry over: T-021' }))
  await waitFor(() =>
    expect(office.requests('POST /api/visits/visit-21/hold')[0]?.body).toEqual({
      reason: 'other',
      note: 'Carried over',
      version: 2,
    }),
  )
  await person.click(await screen.findByRole('button', { name: 'Left: T-022' }))
  await waitFor(() => expect(office.requests('POST /api/visits/visit-22/leave')).toHaveLength(1))
})

test('a place has its range and what is missing; a costly pin says so and is removed with one button', async () => {
  const { office, person } = openLine({
    line: [
      placeOf(1, 21, {
        forecast: forecastOf(),
        documents: { missing: [{ key: 'pan', label: 'PAN card' }], left: 0 },
      }),
      placeOf(2, 22, { pinnedTo: { id: 'zoya', name: 'Zoya' }, forecast: forecastOf({ sooner: 25 }) }),
    ],
    accuracy: { coverage: 0.8, n: 1 },
  })
  const [first, second] = await rows()
  expect(first).toHaveTextContent('About 10:40 to 11:05')
  expect(first).toHaveTextContent('Missing: PAN card')
  expect(second).not.toHaveTextContent('Missing')
  expect(first).not.toHaveTextContent('without the pin')
  expect(second).toHaveTextContent('25 min sooner without the pin')
  expect(screen.getByText('Ranges were right 80 % of the time, last 30 days (1 visitor)')).toBeVisible()
  await person.click(screen.getByRole('button', { name: 'Unpin T-022' }))
  await waitFor(() =>
    expect(office.requests('POST /api/visits/visit-22/pin')[0]?.body).toMatchObject({ consultant_id: null }),
  )
})

test('a call for a consultant whose desk has no number asks for it, and for nothing else', async () => {
  const { office, person } = openLine({
    desks: [deskOf('zoya', 'Zoya', { counterRequired: true }), deskOf('rao', 'CA Rao', { counter: '2' })],
  })
  const [first] = await rows()
  if (!first) throw new Error('no row')
  await person.click(within(first).getByRole('button', { name: 'Actions for T-021' }))
  // Menus and lists ignore the pointer while they open.
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Call for...' }))
  const dialog = await dialogOf('Call T-021 for')
  const choose = async (name: string) => {
    await person.click(within(dialog).getByLabelText('Consultant'))
    fireEvent.click(await screen.findByText(name, { selector: '.consultant-choice b' }))
  }
  await choose('CA Rao')
  expect(within(dialog).queryByLabelText('Desk number')).toBeNull()
  await choose('Zoya')
  await person.type(await within(dialog).findByLabelText('Desk number'), '4')
  await person.click(within(dialog).getByRole('button', { name: 'Call' }))
  await waitFor(() =>
    expect(office.requests('POST /api/visits/visit-21/call')[0]?.body).toEqual({
      consultant_id: 'zoya',
      counter: '4',
      version: 2,
    }),
  )
})
