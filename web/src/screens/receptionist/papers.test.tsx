import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { Bodies, Service, Visit } from '@/api/types'
import { dialogOf } from '@/test/dialog-of'
import { services, userOf, visitOf } from '@/test/fixtures'
import { openOffice } from '@/test/office'
import { openMore } from '@/test/open-more'
import { renderApp } from '@/test/render-app'

const checklist: Service['documents'] = [
  { key: 'pan', label: 'PAN card', required: true, labels: {} },
  { key: 'form-16', label: 'Form 16', required: false, labels: {} },
]
const offered = services.map((one) => (one.id === 'itr' ? { ...one, documents: checklist } : one))
const missing: Visit['documents'] = { missing: [{ key: 'pan', label: 'PAN card' }], left: 0 }

function openDesk(visits: Visit[] = []) {
  const office = openOffice({ user: userOf('reception'), visits, services: offered })
  return { office, ...renderApp('/dashboard/receptionist?tab=all') }
}

async function fillIn(person: ReturnType<typeof openDesk>['person'], service: string) {
  await person.type(await screen.findByLabelText('Visitor Name'), 'Asha')
  await person.type(screen.getByLabelText('Phone Number'), '9876543210')
  await person.click(screen.getByLabelText('Service Required'))
  await person.click(await screen.findByTitle(service))
  await openMore(person)
}

/** A paper without a note, of a release that did not store who changed a paper last, and when. */
const unwritten = { note: '', by: '', at: null }

test('the checklist of the service is ticked, and the slip asks for what is missing', async () => {
  const { office, person } = openDesk()
  office.answer('POST /api/visits', () => ({ visit: visitOf(1, { documents: missing }) }))
  await fillIn(person, 'ITR Filing')
  const papers = await screen.findByRole('group', { name: 'Papers' })
  await person.click(within(papers).getByRole('checkbox', { name: 'Form 16 (if there is one)' }))
  await person.click(screen.getByRole('button', { name: 'Create Token' }))
  await waitFor(() => expect(office.requests('POST /api/visits')).toHaveLength(1))
  expect(office.requests('POST /api/visits')[0]?.body).toMatchObject({
    documents: [
      { key: 'pan', label: 'PAN card', required: true, state: 'missing' },
      { key: 'form-16', label: 'Form 16', required: false, state: 'brought' },
    ],
  })
  const ticket = await screen.findByRole('article', { name: 'Token T-001' })
  expect(within(ticket).getByText('Missing: PAN card')).toBeInTheDocument()
  // This searches the text of the whole page, because the paper's name is an element of its own: it can be in
  // another language.
  await waitFor(() => expect(document.body).toHaveTextContent('Please bring: PAN card'))
})

test('a checklist without a tick is not sent, and another service clears the ticks', async () => {
  const { office, person } = openDesk()
  office.answer('POST /api/visits', () => ({ visit: visitOf(1) }))
  await fillIn(person, 'ITR Filing')
  await person.click(await screen.findByRole('checkbox', { name: 'All papers are here' }))
  await person.click(screen.getByLabelText('Service Required'))
  await person.click(await screen.findByTitle('GST Registration'))
  await waitFor(() => expect(screen.queryByRole('group', { name: 'Papers' })).toBeNull())
  await person.click(screen.getByRole('button', { name: 'Create Token' }))
  await waitFor(() => expect(office.requests('POST /api/visits')).toHaveLength(1))
  expect(office.requests('POST /api/visits')[0]?.body).not.toHaveProperty('documents')
})

test('a visitor without any paper is noted with one tick, which can be taken back', async () => {
  const { office, person } = openDesk([])
  await fillIn(person, 'ITR Filing')
  const none = await screen.findByRole('checkbox', { name: 'No papers are here' })
  await person.click(none)
  await person.click(none)
  expect(none).not.toBeChecked()
  await person.click(none)
  await person.click(screen.getByRole('button', { name: 'Create Token' }))
  await waitFor(() => expect(office.requests('POST /api/visits')).toHaveLength(1))
  expect(office.requests('POST /api/visits')[0]?.body).toMatchObject({
    documents: [
      { key: 'pan', state: 'missing' },
      { key: 'form-16', state: 'missing' },
    ],
  })
})

test('a row opens its papers by key; what was never left cannot be returned', async () => {
  const { office, person } = openDesk([visitOf(14, { name: 'Asha', documents: missing })])
  let stored: Bodies['DocumentsAnswer'] = {
    documents: [
      {
        no: 1,
        key: 'pan',
        label: 'PAN card',
        required: true,
        state: 'missing',
        form: null,
        pages: null,
        acknowledgement: null,
        ...unwritten,
      },
    ],
    acknowledgement: null,
    version: 1,
  }
  office.answer('GET /api/visits/visit-14/documents', () => stored)
  office.answer('PUT /api/visits/visit-14/documents', () => (stored = { ...stored, version: 2 }))
  await person.click(await screen.findByRole('button', { name: 'Actions for T-014' }))
  // The menu takes the focus three frames after it opened, also from the dialog.
  await waitFor(() => expect(document.activeElement?.closest('[role="menu"]')).toBeInTheDocument())
  await person.keyboard('{Escape}{Control>}{F2}{/Control}')
  const dialog = await dialogOf('Papers of T-014')
  await person.click(within(dialog).getByLabelText('Where it is'))
  expect(await screen.findByTitle('Returned')).toHaveClass('ant-select-item-option-disabled')
  await person.click(screen.getByTitle('Left with us'))
  await person.type(within(dialog).getByLabelText('Pages'), '2')
  await person.click(within(dialog).getByRole('button', { name: 'Add a paper' }))
  await person.type(within(dialog).getByRole('textbox', { name: 'Paper' }), 'Rent agreement')
  await person.click(within(dialog).getByRole('button', { name: 'Save papers' }))
  await waitFor(() => expect(office.requests('PUT /api/visits/visit-14/documents')).toHaveLength(1))
  const sent = office.requests('PUT /api/visits/visit-14/documents')[0]
  expect(sent?.headers.get('If-Match')).toBe('"1"')
  expect(sent?.body).toMatchObject({
    documents: [
      { no: 1, key: 'pan', state: 'left', pages: 2 },
      { label: 'Rent agreement', state: 'brought' },
    ],
  })
})

test("a colleague's change does not replace what is being edited; a rejected save shows it", async () => {
  const { office, person } = openDesk([visitOf(14)])
  const paper = (label: string) => ({
    no: 1,
    key: null,
    label,
    required: true,
    state: 'brought' as const,
    form: null,
    pages: null,
    acknowledgement: null,
    ...unwritten,
  })
  let stored: Bodies['DocumentsAnswer'] = { documents: [paper('Deed')], acknowledgement: null, version: 1 }
  office.answer('GET /api/visits/visit-14/documents', () => stored)
  await person.click(await screen.findByRole('button', { name: 'Actions for T-014' }))
  await person.click(await screen.findByRole('menuitem', { name: 'Papers...' }))
  const dialog = await dialogOf('Papers of T-014')
  await person.type(within(dialog).getByLabelText('Pages'), '7')

  stored = { ...stored, documents: [paper('Rent agreement')], version: 2 }
  const read = office.requests('GET /api/visits/visit-14/documents').length
  office.send({ type: 'status_update', data: { entity: 'visit_documents', entityId: 'visit-14' } })
  await waitFor(() =>
    expect(office.requests('GET /api/visits/visit-14/documents').length).toBeGreaterThan(read),
  )
  expect(within(dialog).getByLabelText('Pages')).toHaveValue('7')
  expect(within(dialog).getByText('Deed')).toBeInTheDocument()

  office.fail('PUT /api/visits/visit-14/documents', 412, {
    error: 'Someone changed this record. Please look at it again.',
    code: 'stale_version',
  })
  await person.click(within(dialog).getByRole('button', { name: 'Save papers' }))
  expect(await screen.findByText('Rent agreement')).toBeInTheDocument()
})

test('a visit without noted papers begins with the checklist of its service', async () => {
  const { office, person } = openDesk([visitOf(14)])
  office.answer('GET /api/visits/visit-14/documents', () => ({
    documents: [],
    acknowledgement: null,
    version: 0,
  }))
  await person.click(await screen.findByRole('button', { name: 'Actions for T-014' }))
  await person.click(await screen.findByRole('menuitem', { name: 'Papers...' }))
  const dialog = await dialogOf('Papers of T-014')
  expect(within(dialog).getByText('PAN card')).toBeInTheDocument()
  expect(within(dialog).getByText('Form 16')).toBeInTheDocument()
})

test('papers that are left are printed with their receipt, and a second print says so', async () => {
  const print = vi.spyOn(window, 'print').mockReturnValue()
  const deed = {
    no: 1,
    key: null,
    label: 'Deed',
    required: false,
    state: 'left',
    form: 'original',
    pages: 2,
    acknowledgement: null,
    ...unwritten,
  } as const
  const { office, person } = openDesk([visitOf(14, { name: 'Asha' })])
  let duplicate = false
  office.answer('GET /api/visits/visit-14/documents', () => ({
    documents: [deed],
    acknowledgement: null,
    version: 1,
  }))
  office.answer('POST /api/visits/visit-14/acknowledgement', () => ({
    acknowledgement: {
      no: 'ACK-2026-000007',
      visitId: 'visit-14',
      at: '2026-11-20T05:30:00.000Z',
      by: 'Divya',
      documents: [deed],
    },
    duplicate,
  }))
  await person.click(await screen.findByRole('button', { name: 'Actions for T-014' }))
  await person.click(await screen.findByRole('menuitem', { name: 'Papers...' }))
  const dialog = await dialogOf('Papers of T-014')
  const button = await within(dialog).findByRole('button', { name: 'Print acknowledgement' })
  await waitFor(() => expect(button).toBeEnabled())
  await person.click(button)
  await waitFor(() => expect(print).toHaveBeenCalledTimes(1))
  const slip = () => document.querySelector('.receipt-slip')
  expect(slip()).toHaveTextContent(
    /ACK-2026-000007.*T-014 Asha.*Deed \(Original, 2 pages\).*Received by Divya/,
  )
  expect(slip()).not.toHaveTextContent('DUPLICATE')
  duplicate = true
  await person.click(button)
  await waitFor(() => expect(print).toHaveBeenCalledTimes(2))
  expect(slip()).toHaveTextContent('DUPLICATE')
  const [first, second] = office.requests('POST /api/visits/visit-14/acknowledgement')
  expect(first?.headers.get('Idempotency-Key')).not.toBe(second?.headers.get('Idempotency-Key'))
})

test('papers that were given back are printed with who did it and when, and have a note', async () => {
  const print = vi.spyOn(window, 'print').mockReturnValue()
  const deed = {
    no: 1,
    key: null,
    label: 'Deed',
    required: false,
    state: 'returned',
    form: 'original',
    pages: 2,
    acknowledgement: 'ACK-2026-000007',
    note: 'in the blue folder',
    by: 'Divya',
    at: '2026-11-20T05:30:00.000Z',
  } as const
  const { office, person } = openDesk([visitOf(14, { name: 'Asha' })])
  office.answer('GET /api/visits/visit-14/documents', () => ({
    documents: [deed],
    acknowledgement: { no: 'ACK-2026-000007', at: '2026-11-19T05:30:00.000Z', by: 'Asha Kulkarni' },
    version: 3,
  }))
  await person.click(await screen.findByRole('button', { name: 'Actions for T-014' }))
  await person.click(await screen.findByRole('menuitem', { name: 'Papers...' }))
  const dialog = await dialogOf('Papers of T-014')
  expect(within(dialog).getByText(/^ACK-2026-000007, Divya, 20 Nov 2026/)).toBeInTheDocument()
  expect(within(dialog).getByLabelText('Note')).toHaveValue('in the blue folder')
  const button = await within(dialog).findByRole('button', { name: 'Print return slip' })
  await waitFor(() => expect(button).toBeEnabled())
  await person.click(button)
  await waitFor(() => expect(print).toHaveBeenCalledTimes(1))
  expect(document.querySelector('.receipt-slip')).toHaveTextContent(
    /Papers returned.*20 Nov 2026.*Deed.*Given back by Divya/,
  )
})

test('a receipt in Kannada marks the papers that have no name in it as English', async () => {
  const print = vi.spyOn(window, 'print').mockReturnValue()
  const paper = {
    required: true,
    state: 'left',
    form: 'copy',
    pages: null,
    acknowledgement: null,
    ...unwritten,
  } as const
  const papers = [
    { ...paper, no: 1, key: 'pan', label: 'PAN card' },
    { ...paper, no: 2, key: 'form-16', label: 'Form 16' },
    { ...paper, no: 3, key: null, label: 'ಒಪ್ಪಂದ' },
  ]
  const named: Service['documents'] = [
    { key: 'pan', label: 'PAN card', required: true, labels: { kn: 'ಪ್ಯಾನ್ ಕಾರ್ಡ್' } },
    { key: 'form-16', label: 'Form 16', required: true, labels: {} },
  ]
  const office = openOffice({
    user: userOf('reception'),
    visits: [visitOf(14, { name: 'Asha', language: 'kn' })],
    services: services.map((one) => (one.id === 'itr' ? { ...one, documents: named } : one)),
  })
  const { person } = renderApp('/dashboard/receptionist')
  office.answer('GET /api/visits/visit-14/documents', () => ({
    documents: papers,
    acknowledgement: null,
    version: 1,
  }))
  office.answer('POST /api/visits/visit-14/acknowledgement', () => ({
    acknowledgement: {
      no: 'ACK-2026-000007',
      visitId: 'visit-14',
      at: '2026-11-20T05:30:00.000Z',
      by: 'Divya',
      documents: papers,
    },
    duplicate: false,
  }))
  await person.click(await screen.findByRole('button', { name: 'Actions for T-014' }))
  await person.click(await screen.findByRole('menuitem', { name: 'Papers...' }))
  const dialog = await dialogOf('Papers of T-014')
  const button = await within(dialog).findByRole('button', { name: 'Print acknowledgement' })
  await waitFor(() => expect(button).toBeEnabled())
  await person.click(button)
  await waitFor(() => expect(print).toHaveBeenCalledTimes(1))
  const lines = [...document.querySelectorAll('.receipt-slip li > [lang="kn"]')]
  const marked = lines.map((line) => line.querySelector('[lang="en"]')?.textContent)
  expect(lines.map(({ textContent }) => textContent.split(' (')[0])).toEqual([
    'ಪ್ಯಾನ್ ಕಾರ್ಡ್',
    'Form 16',
    'ಒಪ್ಪಂದ',
  ])
  expect(marked).toEqual([undefined, 'Form 16', undefined])
})
