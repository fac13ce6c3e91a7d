import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import type { Stage } from '@/api/types'
import { dialogOf } from '@/test/dialog-of'
import { consultantOf, deskOf, lineOf, placeOf, queueOf, userOf, visitOf } from '@/test/fixtures'
import { liveThrough } from '@/test/life'
import { accounts, openAdmin } from '@/test/open-admin'
import { server } from '@/test/server'

// S2.staff.01-03, S3.consultant.02-05
test('the staff are listed with role or specialization and load', async () => {
  openAdmin('staff')
  const row = (name: RegExp) => screen.findByRole('row', { name })
  await waitFor(async () => expect(await row(/Zoya/)).toHaveTextContent(/ZoyaGSTAvailable40/))
  expect(await row(/Nandini/)).toHaveTextContent(/General ConsultationBusy02/)
  expect(await row(/Divya/)).toHaveTextContent(/Reception---/)
  expect(screen.getByRole('button', { name: 'Add Staff Member' })).toBeEnabled()
})

test('an admin cannot deactivate their own account or change their own role', async () => {
  const { person } = openAdmin('staff')
  const { name } = userOf('admin')
  await person.click(await screen.findByRole('button', { name: `Edit ${name}` }))
  expect(screen.queryByRole('button', { name: `Deactivate ${name}`, hidden: true })).toBeNull()
  expect(screen.getByRole('button', { name: 'Deactivate Divya', hidden: true })).toBeEnabled()
  const dialog = await screen.findByRole('dialog')
  expect(within(dialog).getByLabelText('Role')).toBeDisabled()
  expect(dialog).toHaveTextContent('You cannot change your own role. Ask another admin.')
})

// S2.staff.04-05
test('a staff member is added with a link for the password, and deactivated', async () => {
  const { office, person } = openAdmin('staff')
  office.answer('POST /api/users', () => ({ data: accounts[0], invite_url: 'https://office/reset?token=x' }))
  await person.click(await screen.findByRole('button', { name: 'Add Staff Member' }))
  const dialog = await screen.findByRole('dialog')
  await person.type(within(dialog).getByLabelText('Name'), 'Arjun')
  await person.type(within(dialog).getByLabelText('Email'), 'arjun@lekha.in')
  await person.click(within(dialog).getByRole('button', { name: 'Add Staff Member' }))
  expect(await screen.findByDisplayValue('https://office/reset?token=x')).toBeInTheDocument()
  expect(office.requests('POST /api/users')[0]?.body).toEqual({
    name: 'Arjun',
    email: 'arjun@lekha.in',
    role: 'consultant',
  })

  office.answer('PUT /api/users/zoya', () => ({ data: accounts[0] }))
  await person.click(screen.getByRole('button', { name: 'Deactivate Zoya', hidden: true }))
  await waitFor(() =>
    expect(office.requests('PUT /api/users/zoya')[0]?.body).toEqual({ isActive: false, is_active: false }),
  )
})

test('the email of a new staff member is sent without the spaces around it', async () => {
  const { office, person } = openAdmin('staff')
  office.answer('POST /api/users', () => ({ data: accounts[0] }))
  await person.click(await screen.findByRole('button', { name: 'Add Staff Member' }))
  const dialog = await screen.findByRole('dialog')
  await person.type(within(dialog).getByLabelText('Name'), 'Arjun')
  await person.click(within(dialog).getByLabelText('Email'))
  await person.paste(' arjun@lekha.in ')
  await person.click(within(dialog).getByRole('button', { name: 'Add Staff Member' }))
  await waitFor(() =>
    expect(office.requests('POST /api/users')[0]?.body).toMatchObject({ email: 'arjun@lekha.in' }),
  )
})

test('a deactivation names the person and is undone', async () => {
  const { office, person } = openAdmin('staff')
  office.answer('PUT /api/users/zoya', () => ({ data: accounts[0] }))
  office.answer('POST /api/users/zoya/undo', () => ({ data: accounts[0] }))
  await person.click(await screen.findByRole('button', { name: 'Deactivate Zoya' }))
  const undo = await screen.findByRole('button', { name: 'Undo: Zoya cannot sign in any more.' })
  expect(screen.queryByText('Zoya saved.')).toBeNull()
  await person.click(undo)
  await waitFor(() => expect(office.requests('POST /api/users/zoya/undo')).toHaveLength(1))
  expect(await screen.findByText('The change of Zoya was undone')).toBeInTheDocument()
  expect(screen.queryByRole('button', { name: /^Undo/ })).toBeNull()
})

test('the answer to an activation also fits an account that could never sign in', async () => {
  const { office, person } = openAdmin('staff')
  const asha = { id: 'asha', name: 'Asha', role: 'reception', email: 's@x.in', isActive: false }
  office.answer('GET /api/users', () => ({
    users: [...accounts, asha],
    pagination: { page: 1, limit: 100, total: accounts.length + 1, pages: 1 },
  }))
  office.answer('PUT /api/users/asha', () => ({ data: { ...asha, isActive: true } }))
  await person.click(await screen.findByRole('button', { name: 'Activate Asha' }))
  expect(await screen.findByText('Asha can sign in.')).toBeInTheDocument()
})

test('before a consultant is deactivated, all their visitors are sent on', async () => {
  const of = (number: number, stage: Stage) =>
    visitOf(number, {
      status: stage === 'in-session' ? 'in-session' : 'approved',
      assignedConsultantId: 'zoya',
      queue: queueOf(stage, { pinned: true }),
    })
  const visits = [of(1, 'waiting'), of(2, 'called'), of(3, 'held'), of(4, 'in-session'), visitOf(5)]
  // The other consultant does not serve what the visitor in the line came for.
  const line = lineOf({
    line: [placeOf(1, 6), placeOf(2, 1, { pinnedTo: { id: 'zoya', name: 'Zoya' } })],
    desks: [deskOf('zoya', 'Zoya'), deskOf('nandini', 'Nandini', { serves: ['roc'] })],
  })
  const { office, person } = openAdmin('staff', { visits, line })
  liveThrough(office, [...visits, visitOf(6)])
  office.answer('PUT /api/users/zoya', () => ({ data: accounts[0] }))
  const deactivate = await screen.findByRole('button', { name: 'Deactivate Zoya' })
  await waitFor(() => expect(office.requests('GET /api/visits/today')).not.toHaveLength(0))
  await waitFor(() => expect(screen.getByRole('row', { name: /Zoya/ })).toHaveTextContent('Desk open'))
  await person.click(deactivate)
  const dialog = await dialogOf('Visitors of Zoya')
  expect(dialog).toHaveTextContent(
    '5 visitors would be left without a consultant: T-001, T-002, T-003, T-004, T-006.',
  )
  expect(office.requests('PUT /api/users/zoya')).toHaveLength(0)
  await person.click(within(dialog).getByRole('button', { name: 'Continue' }))
  await waitFor(() => expect(office.requests('PUT /api/users/zoya')).toHaveLength(1))
  const sent = (action: string) =>
    office.seen.filter(({ path }) => path.endsWith(`/${action}`)).map(({ path }) => path.split('/')[3])
  expect(sent('pin')).toEqual(['visit-1', 'visit-6'])
  expect(sent('transfer')).toEqual(['visit-2', 'visit-3', 'visit-4'])
})

type Person = ReturnType<typeof openAdmin>['person']

/** Opens the menu of a row and chooses one of its actions. */
async function chooseOf(person: Person, name: string, action: string) {
  await person.click(await screen.findByRole('button', { name: `Actions for ${name}` }))
  // A menu that was closed stays in the document, and a menu that is still opening accepts no pointer events.
  const item = await waitFor(() => {
    const shown = screen.getAllByRole('menuitem', { name: action }).filter(isShown)
    expect(shown).toHaveLength(1)
    return shown[0]
  })
  await menuHasFocus()
  if (item) fireEvent.click(item)
}

/** Waits until the menu that was opened has the focus. In a browser this is so before a person could click. */
const menuHasFocus = () =>
  // Menus have the same ids under test, so the focus can go to an item of a closed menu: any item counts.
  waitFor(() => expect(document.activeElement).toHaveAttribute('role', 'menuitem'))

const isShown = (item: HTMLElement) => !item.closest('.ant-dropdown-hidden, [class*="-leave"]')

test("all sessions of a member of staff end after a confirmation, also the admin's own", async () => {
  const { office, person } = openAdmin('staff')
  office.answer('POST /api/users/zoya/revoke-sessions', () => ({ ended: 2 }))
  await chooseOf(person, 'Zoya', 'End all sessions...')
  const question = within(await dialogOf('End all sessions of Zoya?'))
  expect(question.getByText('Zoya is signed out on every device and has to sign in again.')).toBeVisible()
  expect(office.requests('POST /api/users/zoya/revoke-sessions')).toHaveLength(0)
  await person.click(question.getByRole('button', { name: 'End all sessions' }))
  expect(await screen.findByText('All sessions ended')).toBeInTheDocument()
  expect(office.requests('POST /api/users/zoya/revoke-sessions')).toHaveLength(1)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

  const { name } = userOf('admin')
  await chooseOf(person, name, 'End all sessions...')
  const own = within(await dialogOf(`End all sessions of ${name}?`))
  expect(own.getByText('You are signed out on every device, this one included.')).toBeVisible()
})

test("a row has the desk's state and number; the number that is suggested is changed", async () => {
  const line = lineOf({ desks: [deskOf('zoya', 'Zoya', { counter: '3' })] })
  const zoya = consultantOf('zoya', 'Zoya', { specialization: ['GST'], counter: '5' })
  const { office, person } = openAdmin('staff', { line, consultants: [zoya] })
  const row = await screen.findByRole('row', { name: /Zoya/ })
  await waitFor(() => expect(row).toHaveTextContent(/ZoyaGSTAvailableDesk 3 open005/))
  office.answer('PUT /api/consultants/zoya', () => ({ consultant: zoya }))
  await chooseOf(person, 'Zoya', 'Desk number...')
  const dialog = within(await dialogOf('Desk number of Zoya'))
  const field = dialog.getByLabelText('Desk number')
  expect(field).toHaveValue('5')
  expect(
    dialog.getByText('Suggested when the consultant opens the desk for the first time.'),
  ).toBeInTheDocument()
  await person.clear(field)
  await person.type(field, ' 7 {Enter}')
  expect(await screen.findByText('Zoya saved.')).toBeInTheDocument()
  expect(office.requests('PUT /api/consultants/zoya')[0]?.body).toEqual({ counter: '7' })
})

test('only a consultant has a desk to change; after the dialog the menu has the focus', async () => {
  const { person } = openAdmin('staff', { line: lineOf({ desks: [deskOf('zoya', 'Zoya')] }) })
  await waitFor(() => expect(screen.getByRole('row', { name: /Zoya/ })).toHaveTextContent('Desk open'))
  await person.click(screen.getByRole('button', { name: 'Actions for Divya' }))
  const items = await screen.findAllByRole('menuitem')
  expect(items.map((item) => item.textContent)).toEqual(['End all sessions...'])
  await menuHasFocus()
  await person.keyboard('{Escape}')
  await waitFor(() => expect(screen.getByRole('button', { name: 'Actions for Divya' })).toHaveFocus())
  await chooseOf(person, 'Zoya', 'Change desk...')
  const dialog = within(await dialogOf('Desk of Zoya'))
  await person.click(dialog.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.getByRole('button', { name: 'Actions for Zoya' })).toHaveFocus())
})

test('a deactivation that is pressed before the line is there waits for it', async () => {
  const { office, person } = openAdmin('staff')
  office.answer('PUT /api/users/zoya', () => ({ data: accounts[0] }))
  let answered: () => void = () => undefined
  const asked = new Promise<void>((goOn) => (answered = goOn))
  server.use(
    http.get('*/api/visits/line', async () => {
      await asked
      return HttpResponse.json(lineOf())
    }),
  )
  await person.click(await screen.findByRole('button', { name: 'Deactivate Zoya' }))
  expect(office.requests('PUT /api/users/zoya')).toHaveLength(0)
  answered()
  await waitFor(() => expect(office.requests('PUT /api/users/zoya')).toHaveLength(1))
  expect(screen.queryByText('Failed to load the line')).toBeNull()
})
