import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { dialogOf } from '@/test/dialog-of'
import { lineOf, queueOf, userOf, visitOf } from '@/test/fixtures'
import { changed, liveThrough } from '@/test/life'
import { openOffice } from '@/test/office'
import { renderApp } from '@/test/render-app'

const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata' }).format(new Date())
const called = visitOf(14, {
  day: today,
  name: 'Asha',
  status: 'approved',
  queue: queueOf('called', { counter: '3', callCount: 1, calledAt: new Date().toISOString() }),
})
const waiting = visitOf(15, { day: today, name: 'Bilal', status: 'approved' })

function openDesk(visits = [called, waiting]) {
  const office = openOffice({ user: userOf('reception'), visits })
  liveThrough(office, visits)
  return { office, ...renderApp('/dashboard/receptionist?tab=all') }
}
const row = async (token: string) => {
  const list = await screen.findByRole('group', { name: 'Current Queue Status' })
  const rows = within(list).getAllByRole('listitem')
  const found = rows.find((one) => one.textContent.includes(token))
  if (!found) throw new Error(`the queue has no row of ${token}`)
  return found
}
const menuOf = (token: string) => screen.findByRole('button', { name: `Actions for ${token}` })

test('a row shows the word of its stage, the desk of a call and the class', async () => {
  openDesk([called, visitOf(16, { queue: queueOf('left'), status: 'denied' })])
  expect(await row('T-014')).toHaveTextContent(/called \d:\d\d, Desk 3/)
  expect(await row('T-016')).toHaveTextContent('left')
})

test('a visitor who does not come is marked from the menu, and the change is undone by key', async () => {
  const { office, person } = openDesk()
  await person.click(await menuOf('T-014'))
  await person.click(await screen.findByRole('menuitem', { name: 'Not here' }))
  expect(await screen.findByRole('button', { name: 'Undo: T-014 marked as not here.' })).toBeVisible()
  await waitFor(async () => expect(await row('T-014')).toHaveTextContent('not here'))
  const sent = office.requests('POST /api/visits/visit-14/miss')[0]
  expect(sent?.body).toEqual({ version: 1 })
  expect(sent?.headers.get('Idempotency-Key')).toBeTruthy()
  expect(document.activeElement?.closest('.shelf')).toBeNull()
  await person.keyboard('{Control>}{F9}{/Control}')
  expect(await screen.findByText('The last change of T-014 was undone')).toBeInTheDocument()
  expect(office.requests('POST /api/visits/visit-14/undo')[0]?.body).toEqual({ version: 2 })
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Undo:/ })).toBeNull())
})

test('the menu of a visitor who was not here says which place the visitor gets', async () => {
  const missed = visitOf(14, { day: today, status: 'approved', queue: queueOf('missed') })
  const { office, person } = openDesk([missed, waiting])
  office.state.line = lineOf({ missed: [missed], returnPositions: { 'visit-14': 3 } })
  await person.click(await menuOf('T-014'))
  await person.click(await screen.findByRole('menuitem', { name: 'Back in line as number 3' }))
  await waitFor(() => expect(office.requests('POST /api/visits/visit-14/back')).toHaveLength(1))
})

test('the offer to undo goes away when a colleague has changed the visit', async () => {
  const { office, person } = openDesk()
  await person.click(await menuOf('T-014'))
  await person.click(await screen.findByRole('menuitem', { name: 'Left' }))
  expect(await screen.findByRole('button', { name: 'Undo: T-014 marked as left.' })).toBeVisible()
  office.send({ type: 'status_update', data: { visitId: 'visit-14', version: 3, token: 'T-014' } })
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Undo:/ })).toBeNull())
})

test('a visit of an earlier day that ended today stands below those of today, and is opened again', async () => {
  const ended = visitOf(7, { id: 'older', day: '2020-01-02', status: 'denied', queue: queueOf('left') })
  const { office, person } = openDesk()
  office.state.line = lineOf({ ended: [ended] })
  const old = await row('T-007')
  expect(old).toHaveTextContent('From 2 Jan 2020')
  expect(old.parentElement?.lastElementChild).toBe(old)
  await person.click(await menuOf('T-007'))
  await person.click(await screen.findByRole('menuitem', { name: 'Open again' }))
  await waitFor(() => expect(office.requests('POST /api/visits/older/reopen')).toHaveLength(1))
})

test('a hold needs a reason, and a time for who comes back later', async () => {
  const { office, person } = openDesk()
  await person.click(await menuOf('T-015'))
  await person.click(await screen.findByRole('menuitem', { name: 'Hold...' }))
  const dialog = await dialogOf('Hold T-015')
  expect(within(dialog).getByRole('radio', { name: 'Papers are missing' })).toBeChecked()
  await person.click(within(dialog).getByRole('radio', { name: 'Comes back later' }))
  const until = await within(dialog).findByLabelText('Back at')
  await person.clear(until)
  await person.click(within(dialog).getByRole('button', { name: 'Hold' }))
  expect(await within(dialog).findByText('Please enter a time later today')).toBeInTheDocument()
  await person.click(within(dialog).getByRole('radio', { name: 'Payment first' }))
  await person.click(within(dialog).getByRole('button', { name: 'Hold' }))
  await waitFor(() => expect(office.requests('POST /api/visits/visit-15/hold')).toHaveLength(1))
  expect(office.requests('POST /api/visits/visit-15/hold')[0]?.body).toEqual({
    reason: 'payment',
    version: 1,
  })
})

test('a correction sends what has changed, with the version that was seen', async () => {
  const { office, person } = openDesk()
  await person.click(await menuOf('T-015'))
  await person.click(await screen.findByRole('menuitem', { name: 'Correct...' }))
  const dialog = await dialogOf('Correct T-015')
  const save = within(dialog).getByRole('button', { name: 'Save correction' })
  expect(save).toBeDisabled()
  await person.clear(within(dialog).getByLabelText('Visitor Name'))
  await person.type(within(dialog).getByLabelText('Visitor Name'), 'Bilal Khan')
  await person.click(save)
  await waitFor(() =>
    expect(office.requests('POST /api/visits/visit-15/correct')[0]?.body).toEqual({
      name: 'Bilal Khan',
      version: 1,
    }),
  )
})

test('a correction of a visitor whom a colleague registered says who can do it', async () => {
  const { office, person } = openDesk()
  office.fail('POST /api/visits/visit-15/cancel', 403, {
    error: 'You do not have permission to access this page.',
    code: 'forbidden',
    request_id: 'r',
  })
  await person.click(await menuOf('T-015'))
  await person.click(await screen.findByRole('menuitem', { name: 'Cancel visit' }))
  expect(await screen.findByText('T-015 was not changed')).toBeInTheDocument()
  expect(screen.getByText(/^Only the colleague who registered this visitor/)).toBeInTheDocument()
})

test('a class is chosen in the menu and in the form, where the normal one is not sent', async () => {
  const { office, person } = openDesk()
  await person.click(await menuOf('T-015'))
  // Under test the arrow of a submenu is part of its name.
  const group = await screen.findByRole('menuitem', { name: /^Priority/ })
  expect(screen.queryByRole('menuitem', { name: 'Deadline today' })).toBeNull()
  await person.click(group)
  const present = await screen.findByRole('menuitem', { name: 'Normal' })
  expect(present).toHaveAttribute('aria-disabled', 'true')
  expect(present.querySelector('svg')).not.toBeNull()
  const priority = screen.getByRole('menuitem', { name: 'Priority' })
  expect(priority.querySelector('svg')).toBeNull()
  await person.click(priority)
  await waitFor(() =>
    expect(office.requests('POST /api/visits/visit-15/class')[0]?.body).toEqual({
      class: 'priority',
      version: 1,
    }),
  )
  await waitFor(async () => expect(await row('T-015')).toHaveTextContent('Priority'))
})

test('a second visit of a phone number is shown and cancelled in two keys', async () => {
  const { office, person } = openDesk()
  await person.type(await screen.findByLabelText('Phone Number'), waiting.phone)
  expect(await screen.findByText('T-015 of Bilal is waiting')).toBeVisible()
  await person.keyboard('{Control>}{Delete}{/Control}')
  const cancel = await screen.findByRole('button', { name: 'Cancel T-015' })
  await waitFor(() => expect(cancel).toHaveFocus())
  await person.keyboard('{Enter}')
  await waitFor(() => expect(office.requests('POST /api/visits/visit-15/cancel')).toHaveLength(1))
})

test('the only visitor that a search finds is called again by key', async () => {
  const { office, person } = openDesk()
  await screen.findByText('Asha')
  await person.keyboard('{F8}')
  await person.type(screen.getByRole('searchbox'), 'T-014')
  await waitFor(() => expect(screen.queryByText('Bilal')).toBeNull())
  await person.keyboard('{Control>}{F8}{/Control}')
  await waitFor(() => expect(office.requests('POST /api/visits/visit-14/recall')).toHaveLength(1))
})

test('a change that is rejected is worded by its code', async () => {
  const { office, person } = openDesk()
  office.fail('POST /api/visits/visit-14/miss', 409, {
    error: 'other words',
    code: 'too_soon',
    params: { seconds: 7 },
    request_id: 'r',
  })
  await person.click(await menuOf('T-014'))
  await person.click(await screen.findByRole('menuitem', { name: 'Not here' }))
  expect(await screen.findByText('The last call was just now. Please wait 7 s.')).toBeInTheDocument()
})

test('a call alerts reception without the name of the visitor', async () => {
  const { office } = openDesk()
  await screen.findByText('Connected')
  const call = { visitId: 'visit-14', version: 2, token: 'T-014', service: 'ITR Filing' }
  office.send({
    type: 'visit_called',
    data: { ...call, assignedConsultant: 'CA Rao', counter: '3', callCount: 1 },
  })
  expect(await screen.findByText('Token T-014: CA Rao, desk 3')).toBeInTheDocument()
  office.send({ type: 'visit_approved', data: { ...call, line: true } })
  expect(await screen.findByText('Token T-014 approved for the next free consultant')).toBeInTheDocument()
})

test('the slip of a corrected visit says so', async () => {
  const right = changed(waiting, 'correct', 'waiting')
  const { person } = openDesk([{ ...right, queue: { ...right.queue, correctedAt: right.updatedAt } }])
  await person.click(await screen.findByRole('button', { name: 'Show T-015 again' }))
  await waitFor(() => expect(document.querySelector('.token-slip')).toHaveTextContent('corrected'))
})
