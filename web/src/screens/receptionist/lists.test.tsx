import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { keys } from '@/storage'
import { lineOf, placeOf, userOf, visitOf } from '@/test/fixtures'
import { openOffice } from '@/test/office'
import { renderApp } from '@/test/render-app'

function openDesk(visits = [visitOf(1), visitOf(2, { status: 'approved', assignedConsultant: 'Zoya' })]) {
  const office = openOffice({ user: userOf('reception'), visits })
  return { office, ...renderApp('/dashboard/receptionist') }
}

const shown = () =>
  within(screen.getByRole('group', { name: 'Current Queue Status' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => /T-\d+/.exec(textContent)?.[0])

test("today's visitors are found by token, name or phone, in whatever list they are", async () => {
  const { person } = openDesk([
    visitOf(1),
    visitOf(2, { status: 'completed', assignedConsultant: 'Zoya' }),
    visitOf(33),
  ])
  await screen.findByText('Visitor 1')
  expect(shown()).toEqual(['T-001', 'T-033'])
  const search = screen.getByRole('searchbox', { name: 'Search token, name or phone' })
  for (const words of ['t-002', 'T2', '2', '43202', 'ZOYA itr']) {
    await person.clear(search)
    await person.type(search, words)
    await waitFor(() => expect(shown()).toEqual(['T-002']))
  }
  expect(screen.getByText('1 of 3')).toBeInTheDocument()
  expect(screen.getByRole('tab', { name: 'All 3' })).toHaveAttribute('aria-selected', 'true')
  await person.clear(search)
  await person.type(search, 'no such visitor')
  expect(await screen.findByText('No matching visitors')).toBeVisible()
  await person.clear(search)
  await waitFor(() => expect(shown()).toEqual(['T-001', 'T-033']))
})

test('the tabs count each stage; the chosen one is in the address', async () => {
  const office = openOffice({
    user: userOf('reception'),
    visits: [
      visitOf(1),
      visitOf(2, { status: 'approved' }),
      visitOf(3, { status: 'in-session' }),
      visitOf(4, { status: 'denied' }),
    ],
    line: lineOf({ line: [placeOf(4, 2)] }),
  })
  const { person, router } = renderApp('/dashboard/receptionist?tab=in-session')
  await screen.findByText('Visitor 3')
  expect(shown()).toEqual(['T-003'])
  const tabs = screen.getAllByRole('tab').map(({ textContent }) => textContent)
  expect(tabs).toEqual(['Waiting 2', 'In session 1', 'Done 1', 'All 4', 'Appointments '])
  await person.click(screen.getByRole('tab', { name: 'Done 1' }))
  expect(shown()).toEqual(['T-004'])
  expect(router.state.location.search).toBe('?tab=done')
  await person.keyboard('{ArrowRight}')
  expect(shown()).toEqual(['T-001', 'T-002', 'T-003', 'T-004'])
  await person.keyboard('{Home}')
  expect(screen.getByRole('tab', { name: 'Waiting 2' })).toHaveFocus()
  expect(router.state.location.search).toBe('')
  expect(await screen.findByText('Waiting, no. 4')).toBeVisible()
  expect(office.requests('GET /api/visits/line')).toHaveLength(1)
})

test('the waiting visitors stand in the order of the line, or by token, which is kept', async () => {
  openOffice({
    user: userOf('reception'),
    visits: [visitOf(1), visitOf(2, { status: 'approved' }), visitOf(3, { status: 'approved' })],
    line: lineOf({ line: [placeOf(1, 3), placeOf(2, 2)] }),
  })
  const { person, router } = renderApp('/dashboard/receptionist')
  expect(await screen.findByText('Waiting, no. 1')).toBeVisible()
  expect(shown()).toEqual(['T-003', 'T-002', 'T-001'])
  expect(screen.getByText('Waiting for approval')).toBeVisible()
  const byToken = screen.getByRole('button', { name: 'Token', pressed: false })
  const list = screen.getByRole('group', { name: 'Current Queue Status' })
  list.scrollTop = 40
  byToken.focus()
  await person.keyboard('{Enter}')
  expect(shown()).toEqual(['T-001', 'T-002', 'T-003'])
  expect(byToken).toHaveFocus()
  expect(byToken).toHaveAttribute('aria-pressed', 'true')
  expect(screen.getByRole('group', { name: 'Current Queue Status' }).scrollTop).toBe(0)
  expect(router.state.location.search).toBe('?order=token')
  expect(localStorage.getItem(keys.order)).toBe('token')
  await person.click(screen.getByRole('tab', { name: 'All 3' }))
  expect(router.state.location.search).toBe('?order=token&tab=all')
  expect(screen.queryByRole('button', { name: 'No.' })).toBeNull()
  await person.click(screen.getByRole('tab', { name: 'Waiting 3' }))
  await person.click(screen.getByRole('button', { name: 'No.' }))
  expect(shown()).toEqual(['T-003', 'T-002', 'T-001'])
  expect(router.state.location.search).toBe('')
})

test('a visit of an earlier day has its date', async () => {
  openDesk([visitOf(1, { day: '2020-01-02', status: 'approved' }), visitOf(2, { day: '2999-01-02' })])
  const old = (await screen.findByText('Visitor 1')).closest('li')
  expect(old).toHaveTextContent('From 2 Jan 2020')
  expect(screen.getAllByText(/^From /)).toHaveLength(1)
})

test('visits left over from earlier days stand above those of today, with their date', async () => {
  const leftOver = visitOf(7, { id: 'older', day: '2020-01-02', status: 'approved' })
  const carried = visitOf(8, { id: 'returned', day: '2020-01-03', status: 'approved' })
  const office = openOffice({
    user: userOf('reception'),
    visits: [visitOf(1, { day: '2999-01-02' })],
    line: lineOf({ leftOver: [leftOver], carried: [carried] }),
  })
  renderApp('/dashboard/receptionist')
  await waitFor(() => expect(shown()).toEqual(['T-007', 'T-008', 'T-001']))
  expect(screen.getByText('From 2 Jan 2020')).toBeVisible()
  expect(screen.getByText('From 3 Jan 2020')).toBeVisible()
  expect(screen.getByRole('tab', { name: 'Waiting 3' })).toBeVisible()
  expect(office.requests('GET /api/visits/line')).not.toHaveLength(0)
})

test('the shortcuts are listed in the profile and by ?, and F2 focuses Visitor Name', async () => {
  const { person } = openDesk()
  const name = await screen.findByLabelText('Visitor Name')
  screen.getByRole('button', { name: /Profile$/ }).focus()
  await person.keyboard('{F2}')
  expect(name).toHaveFocus()
  await person.keyboard('?')
  expect(name).toHaveValue('?')
  await person.click(screen.getByRole('button', { name: /Profile$/ }))
  await person.click(await screen.findByRole('button', { name: /^Keyboard shortcuts/ }))
  expect(await screen.findByText('New visitor: go to Visitor Name')).toBeInTheDocument()
})

test('? shows the shortcuts when no field has the focus', async () => {
  const { person } = openDesk()
  await screen.findByLabelText('Visitor Name')
  screen.getByRole('button', { name: /Profile$/ }).focus()
  await person.keyboard('{Shift>}?{/Shift}')
  expect(await screen.findByText('Put the ticket away')).toBeInTheDocument()
})

test('Esc puts the ticket away, and clears a search first', async () => {
  const desk = openDesk()
  await desk.person.click(await screen.findByRole('button', { name: 'Show T-001 again' }))
  expect(await screen.findByRole('article', { name: 'Token T-001' })).toBeVisible()
  await desk.person.type(screen.getByRole('searchbox'), 'Visitor{Escape}')
  expect(screen.getByRole('article', { name: 'Token T-001' })).toBeVisible()
  await desk.person.clear(screen.getByRole('searchbox'))
  await desk.person.keyboard('{Escape}')
  expect(screen.queryByRole('article')).toBeNull()
})

test('the row, the ticket and the slip have both tokens; a search finds either', async () => {
  const { person } = openDesk([visitOf(8, { name: 'Asha', tokenAlso: 'A-003' }), visitOf(9)])
  const show = await screen.findByRole('button', { name: 'Show T-008 A-003 again' })
  expect(show).toHaveTextContent('T-008 A-003')
  await person.click(show)
  expect(await screen.findByRole('article', { name: 'Token T-008' })).toHaveTextContent('T-008 A-003')
  await waitFor(() => expect(document.querySelector('.token-slip')).toHaveTextContent(/T-008.*A-003.*Asha/))
  const search = screen.getByRole('searchbox', { name: 'Search token, name or phone' })
  for (const word of ['a3', 'T8', 'A-003']) {
    await person.clear(search)
    await person.type(search, word)
    await waitFor(() => expect(shown()).toEqual(['T-008']))
  }
})

test('who has a token of a desk today is known by the phone number, before and after it is sent', async () => {
  const phone = '9876543210'
  const { person } = openDesk([
    visitOf(1, { id: 'unsent-2026-11-20-1', token: 'A-001', phone }),
    visitOf(2, { token: 'B-002', phone }),
    visitOf(3),
  ])
  await person.type(await screen.findByLabelText('Phone Number'), phone)
  const sentences = ['B-002 of Visitor 2 waits for approval', 'A-001 of Visitor 1 waits for approval']
  await screen.findByText(sentences[0] ?? '')
  const said = screen.getAllByText(/ of Visitor \d waits for approval/).map(({ textContent }) => textContent)
  expect(said).toEqual(sentences)
})

test('the slip has the token and the office, not the phone number, and its width is stored', async () => {
  const { person } = openDesk([visitOf(8, { name: 'Asha', phone: '9876543210' })])
  const print = vi.spyOn(window, 'print').mockImplementation(() => undefined)
  await person.click(await screen.findByRole('button', { name: 'Show T-008 again' }))
  await waitFor(() => expect(document.querySelector('.token-slip')).not.toBeNull())
  const slip = document.querySelector('.token-slip')
  expect(slip).toHaveTextContent(/T-008.*Asha.*ITR Filing/)
  expect(slip).not.toHaveTextContent('9876543210')
  expect(slip).toHaveClass('token-slip-58')
  await person.click(screen.getByRole('button', { name: 'Paper width: 58 mm' }))
  await person.click(await screen.findByRole('menuitem', { name: '80 mm' }))
  expect(document.querySelector('.token-slip')).toHaveClass('token-slip-80')
  expect(localStorage.getItem(keys.paper)).toBe('80')
  await person.keyboard('{F9}')
  await waitFor(() => expect(print).toHaveBeenCalledTimes(1))
})

test('a search that begins before the form is emptied keeps the focus', async () => {
  const { office, person } = openDesk()
  office.answer('POST /api/visits', () => ({ visit: visitOf(8) }))
  await person.type(await screen.findByLabelText('Visitor Name'), 'Asha')
  await person.type(screen.getByLabelText('Phone Number'), '9812345678')
  await person.click(screen.getByLabelText('Service Required'))
  await person.click(await screen.findByTitle('ITR Filing'))
  const search = screen.getByRole('searchbox', { name: /Search/ })
  const answer = new MutationObserver(() => {
    if (!screen.queryByText('Token T-008 created successfully')) return
    answer.disconnect()
    search.focus()
  })
  answer.observe(document.body, { childList: true, subtree: true })
  await person.click(screen.getByRole('button', { name: 'Create Token' }))
  await waitFor(() => expect(screen.getByLabelText('Visitor Name')).toHaveValue(''))
  expect(search).toHaveFocus()
})
