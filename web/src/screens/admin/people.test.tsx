import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { dialogOf } from '@/test/dialog-of'
import { deskOf, lineOf, placeOf, queueOf, visitOf } from '@/test/fixtures'
import { liveThrough } from '@/test/life'
import { accounts, openAdmin, waitingPerson } from '@/test/open-admin'

const lata = waitingPerson('lata', 'Lata', '2026-11-20T06:00:00.000Z')
const imran = waitingPerson('imran', 'Imran', '2026-11-20T04:30:00.000Z', 'pa')
const url = 'https://office/reset-password?token=second'

type Office = ReturnType<typeof openAdmin>['office']

/** Makes the fake office answer these accounts. Like an older server, it ignores the filter. */
const list = (office: Office, ...users: object[]) =>
  office.answer('GET /api/users', () => ({
    users: [...users, ...accounts],
    pagination: { page: 1, limit: 100, total: users.length + accounts.length, pages: 1 },
  }))

function openWith(...people: object[]) {
  const opened = openAdmin('staff')
  list(opened.office, ...people)
  return opened
}

const waitingList = () => screen.findByRole('region', { name: 'Waiting for approval' })
const staffTab = (name: string | RegExp) => screen.findByRole('tab', { name })

test('the tab counts the people who wait, and names the number', async () => {
  const { office } = openAdmin()
  list(office, lata, imran)
  expect(await staffTab('Staff, 2 people wait for approval')).toHaveTextContent(/^Staff 2/)
  const asked = office.requests('GET /api/users').map(({ query }) => query.get('awaiting'))
  expect(asked).toContain('true')
})

test('while no one waits there is no number and no list', async () => {
  openAdmin('staff')
  expect(await screen.findByRole('row', { name: /Zoya/ })).toBeVisible()
  expect(await staffTab('Staff')).toHaveTextContent(/^Staff$/)
  expect(screen.queryByRole('region', { name: 'Waiting for approval' })).toBeNull()
})

test('people who wait stand above the staff, the longest first, and not among them', async () => {
  openWith(lata, imran)
  const rows = within(await waitingList()).getAllByRole('row')
  expect(rows.map((row) => row.textContent)).toEqual([
    expect.stringContaining('Since'),
    expect.stringMatching(/^Imran.*imran@x\.in.*10:00.*PA \(Personal Assistant\)/),
    expect.stringMatching(/^Lata.*lata@x\.in.*11:30.*Reception/),
  ])
  const staff = await screen.findByRole('region', { name: 'Staff' })
  expect(within(staff).queryByText('Imran')).toBeNull()
  expect(await within(staff).findByText('Zoya')).toBeVisible()
})

test('a person is let in with the chosen role', async () => {
  const { office, person } = openWith(lata)
  office.answer('PUT /api/users/lata', () => {
    list(office)
    return { data: { ...lata, isActive: true, awaiting: false } }
  })
  await person.click(within(await waitingList()).getByLabelText('Role of Lata'))
  await person.click(await screen.findByTitle('Consultant'))
  await person.click(screen.getByRole('button', { name: 'Let in Lata' }))
  expect(await screen.findByText('Lata can sign in.')).toBeInTheDocument()
  expect(office.requests('PUT /api/users/lata').map(({ body }) => body)).toEqual([
    { isActive: true, is_active: true, role: 'consultant' },
  ])
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Waiting for approval' })).toBeNull())
  expect(await staffTab('Staff')).toBeVisible()
})

test('a refusal is asked once, and names what follows', async () => {
  const { office, person } = openWith(lata, imran)
  office.answer('POST /api/users/lata/refuse', () => {
    list(office, imran)
    return {}
  })
  await person.click(within(await waitingList()).getByRole('button', { name: 'Refuse Lata' }))
  const dialog = within(await dialogOf('Refuse Lata?'))
  expect(dialog.getByText('The account is deleted. Lata can register again.')).toBeVisible()
  expect(office.requests('POST /api/users/lata/refuse')).toHaveLength(0)
  await person.click(dialog.getByRole('button', { name: 'Refuse' }))
  expect(await screen.findByText('The account of Lata is deleted')).toBeInTheDocument()
  expect(await staffTab('Staff, 1 person waits for approval')).toBeVisible()
  expect(office.requests('POST /api/users/lata/refuse')).toHaveLength(1)
})

test('a person whom another admin has let in is not refused', async () => {
  const { office, person } = openWith(lata)
  await person.click(within(await waitingList()).getByRole('button', { name: 'Refuse Lata' }))
  const dialog = within(await dialogOf('Refuse Lata?'))
  const body = { error: 'This account does not wait for an answer.', code: 'not_awaiting' }
  office.fail('POST /api/users/lata/refuse', 409, body)
  list(office, { ...lata, isActive: true, awaiting: false })
  await person.click(dialog.getByRole('button', { name: 'Refuse' }))
  expect(await screen.findByText(body.error)).toBeInTheDocument()
  expect(await screen.findByRole('button', { name: 'Deactivate Lata' })).toBeVisible()
})

const invited = (until: string) => ({
  id: 'arjun',
  name: 'Arjun',
  role: 'pa',
  email: 'arjun@x.in',
  isActive: true,
  awaiting: false,
  invitedUntil: until,
})
const later = '2099-01-02T05:30:00.000Z'

test('the row of an invited person has the end of the link, and sends another one', async () => {
  const { office, person } = openWith(invited('2026-11-20T05:30:00.000Z'))
  const row = await screen.findByRole('row', { name: /Arjun/ })
  expect(row).toHaveTextContent('Invited, link ended 20 Nov 2026, 11:00 AM')
  office.answer('POST /api/users/arjun/invite', () => {
    list(office, invited(later))
    return { data: invited(later), invite_url: url }
  })
  await person.click(within(row).getByRole('button', { name: 'Send again to Arjun' }))
  const sentence = 'A new link was made. The one before does not work any more.'
  expect(await screen.findByText(sentence)).toBeInTheDocument()
  await waitFor(() =>
    expect(screen.getByRole('row', { name: /Arjun/ })).toHaveTextContent(
      'Invited, link ends 2 Jan 2099, 11:00 AM',
    ),
  )
})

test('a link is copied; one that this tab does not know is made anew, once', async () => {
  const { office, person } = openWith(invited('2099-01-01T05:30:00.000Z'))
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  office.answer('POST /api/users/arjun/invite', () => {
    list(office, invited(later))
    return { data: invited(later), invite_url: url }
  })
  const copy = await screen.findByRole('button', { name: 'Copy link of Arjun' })
  await person.click(copy)
  await waitFor(() => expect(writeText).toHaveBeenCalledWith(url))
  await waitFor(() =>
    expect(screen.getByRole('row', { name: /Arjun/ })).toHaveTextContent('link ends 2 Jan 2099'),
  )
  await person.click(screen.getByRole('button', { name: 'Copy link of Arjun' }))
  await waitFor(() => expect(writeText).toHaveBeenCalledTimes(2))
  expect(office.requests('POST /api/users/arjun/invite')).toHaveLength(1)
})

test('a link that cannot be copied is shown', async () => {
  const { office, person } = openWith(invited(later))
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'))
  office.answer('POST /api/users/arjun/invite', () => ({ data: invited(later), invite_url: url }))
  await person.click(await screen.findByRole('button', { name: 'Copy link of Arjun' }))
  const dialog = within(await dialogOf('Copy link'))
  expect(dialog.getByDisplayValue(url)).toBeVisible()
})

test('before a consultant gets another role, all their visitors are sent on', async () => {
  const queue = queueOf('waiting', { pinned: true })
  const visits = [visitOf(1, { status: 'approved', assignedConsultantId: 'zoya', queue })]
  const line = lineOf({
    line: [placeOf(1, 1, { pinnedTo: { id: 'zoya', name: 'Zoya' } })],
    desks: [deskOf('zoya', 'Zoya'), deskOf('nandini', 'Nandini')],
  })
  const { office, person } = openAdmin('staff', { visits, line })
  liveThrough(office, visits)
  office.answer('PUT /api/users/zoya', () => ({ data: { ...accounts[0], role: 'reception' } }))
  await waitFor(() => expect(screen.getByRole('row', { name: /Zoya/ })).toHaveTextContent('Desk open'))
  await person.click(screen.getByRole('button', { name: 'Edit Zoya' }))
  const edit = within(await dialogOf('Edit Staff Member'))
  await person.click(edit.getByLabelText('Role'))
  await person.click(await screen.findByTitle('Reception'))
  await person.click(edit.getByRole('button', { name: 'Save' }))
  const dialog = within(await dialogOf('Visitors of Zoya'))
  expect(office.requests('PUT /api/users/zoya')).toHaveLength(0)
  await person.click(dialog.getByRole('button', { name: 'Continue' }))
  await waitFor(() => expect(office.requests('PUT /api/users/zoya')).toHaveLength(1))
  expect(office.requests('PUT /api/users/zoya')[0]?.body).toEqual({ role: 'reception' })
  expect(office.seen.some(({ path }) => path.endsWith('/visits/visit-1/pin'))).toBe(true)
  expect(
    await screen.findByRole('button', { name: 'Undo: The role of Zoya is now Reception.' }),
  ).toBeVisible()
})
