import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { keys } from '@/storage'
import { userOf, visitOf } from '@/test/fixtures'
import { openOffice } from '@/test/office'
import { renderApp } from '@/test/render-app'

const newVisit = visitOf(8, { name: 'Asha', phone: '9876543210', waitTime: 0 })

function openDesk(visits = [visitOf(1), visitOf(2, { status: 'approved', assignedConsultant: 'Zoya' })]) {
  const office = openOffice({ user: userOf('reception'), visits })
  office.answer('POST /api/visits', () => ({ visit: newVisit }))
  return { office, ...renderApp('/dashboard/receptionist') }
}

async function fillForm({ person }: Pick<ReturnType<typeof openDesk>, 'person'>, phone = '9876543210') {
  await person.type(await screen.findByLabelText('Visitor Name'), 'Asha')
  await person.type(screen.getByLabelText('Phone Number'), phone)
  await person.click(screen.getByLabelText('Service Required'))
  await person.click(await screen.findByTitle('ITR Filing'))
}

test('the desk shows its heading, the live badge and how many came today (S2.reception.01-03, S2.route.07)', async () => {
  openDesk()
  expect(await screen.findByRole('heading', { name: 'Receptionist Dashboard' })).toBeVisible()
  expect(await screen.findByText('Connected')).toBeVisible()
  expect(await screen.findByText('visitors today')).toHaveTextContent('2 visitors today')
})

test('each visit of today has one row with all that the desk needs (S2.reception.12-13, S2.reception.15-21, S3.visit.02-04)', async () => {
  openDesk()
  const list = await screen.findByRole('group', { name: 'Current Queue Status' })
  const rows = within(list).getAllByRole('listitem')
  expect(rows).toHaveLength(2)
  expect(rows[0]).toHaveTextContent(/T-002.*Visitor 2.*9876543202.*ITR Filing.*Zoya.*7 min.*approved/)
  expect(rows[1]).toHaveTextContent(/T-001.*Visitor 1.*9876543201.*ITR Filing.*7 min.*new/)
  expect(rows[1]).not.toHaveTextContent('Zoya')
})

test('an empty day says so (S2.reception.14)', async () => {
  openDesk([])
  expect(await screen.findByText('No visitors registered today')).toBeVisible()
})

test('a visitor becomes a token, a toast and a ticket, and the form is ready again (S2.reception.04-10, S8.toast.09, S3.create.01-03, S5.reception.05)', async () => {
  const desk = openDesk()
  await fillForm(desk)
  await desk.person.click(screen.getByRole('button', { name: 'Create Token' }))

  expect(await screen.findByText('Token T-008 created successfully')).toBeInTheDocument()
  expect(screen.getByRole('article', { name: 'Token T-008' })).toHaveTextContent('Asha')
  expect(desk.office.asked('POST /api/visits')[0]?.body).toEqual({
    name: 'Asha',
    phone: '9876543210',
    notes: '',
    service_id: 'itr',
    serviceId: 'itr',
    reception_id: 'reception-user',
  })
  const name = screen.getByLabelText('Visitor Name')
  await waitFor(() => expect(name).toHaveValue(''))
  expect(name).toHaveFocus()
})

test('without a stored user the desk is reception-001 (S3.create.04)', async () => {
  const desk = openDesk()
  await fillForm(desk)
  localStorage.removeItem(keys.user)
  await desk.person.click(screen.getByRole('button', { name: 'Create Token' }))
  await screen.findByText('Token T-008 created successfully')
  expect(desk.office.asked('POST /api/visits')[0]?.body).toMatchObject({ reception_id: 'reception-001' })
})

test('while the token is made the button says so and cannot be pressed again (S2.reception.11)', async () => {
  const desk = openDesk()
  const release = desk.office.hold('POST /api/visits')
  await fillForm(desk)
  await desk.person.click(screen.getByRole('button', { name: 'Create Token' }))
  const busy = await screen.findByRole('button', { name: 'Creating Token...' })
  expect(busy).toBeDisabled()
  await desk.person.type(screen.getByLabelText('Visitor Name'), '{Enter}')
  release()
  await screen.findByText('Token T-008 created successfully')
  expect(desk.office.asked('POST /api/visits')).toHaveLength(1)
  expect(screen.getByRole('button', { name: 'Create Token' })).toBeEnabled()
})

test('a form without name, phone and service is not sent and says why (S5.reception.01-02, S5.reception.04)', async () => {
  const desk = openDesk()
  await desk.person.click(await screen.findByRole('button', { name: 'Create Token' }))
  expect(await screen.findByText('Name is required')).toBeInTheDocument()
  expect(screen.getByText('Phone number is required')).toBeInTheDocument()
  expect(screen.getByText('Service is required')).toBeInTheDocument()
  expect(desk.office.asked('POST /api/visits')).toHaveLength(0)
})

test.each(['987654321', '98765432101', '98765abcde', '+919876543', '९८७६५४३२१०'])(
  'the phone %s is not ten digits (S5.reception.03)',
  async (phone) => {
    const desk = openDesk()
    await fillForm(desk, phone)
    await desk.person.click(screen.getByRole('button', { name: 'Create Token' }))
    expect(await screen.findByText('Please enter a valid 10-digit phone number')).toBeInTheDocument()
    expect(desk.office.asked('POST /api/visits')).toHaveLength(0)
  },
)

test('a failed token keeps what was typed and repeats with the same key (S8.toast.08)', async () => {
  const desk = openDesk()
  desk.office.fail('POST /api/visits')
  await fillForm(desk)
  await desk.person.click(screen.getByRole('button', { name: 'Create Token' }))
  expect(await screen.findByText('Failed to create visitor token')).toBeInTheDocument()
  expect(screen.getByLabelText('Visitor Name')).toHaveValue('Asha')

  desk.office.mend('POST /api/visits')
  await desk.person.click(screen.getByRole('button', { name: 'Create Token' }))
  await screen.findByText('Token T-008 created successfully')
  const keysSent = desk.office.asked('POST /api/visits').map(({ headers }) => headers.get('Idempotency-Key'))
  expect(keysSent).toHaveLength(2)
  expect(new Set(keysSent).size).toBe(1)
})

test('the services offered are the active ones, with their minutes (S2.reception.08)', async () => {
  const { person } = openDesk()
  await person.click(await screen.findByLabelText('Service Required'))
  const option = (await screen.findAllByText('GST Registration'))[0]
  expect(option?.parentElement).toHaveTextContent('45 min')
  expect(screen.queryByText('Stamp Vending')).not.toBeInTheDocument()
})

test("services and visits that cannot be loaded are said in the desk's own words, with a way to try again (S8.toast.05-06)", async () => {
  const office = openOffice({ user: userOf('reception') })
  office.fail('GET /api/services')
  office.fail('GET /api/visits/today')
  const { person } = renderApp('/dashboard/receptionist')
  expect(await screen.findByText('Failed to load services', {}, { timeout: 5_000 })).toBeInTheDocument()
  expect((await screen.findAllByText('Failed to load dashboard data')).length).toBeGreaterThan(0)

  office.mend('GET /api/visits/today')
  await person.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('No visitors registered today')).toBeVisible()
})

test('a change made at another desk appears without a reload, with one request for it (S1.live.01, S4.live.03)', async () => {
  const { office } = openDesk()
  await screen.findByText('Visitor 1')
  await screen.findByText('Connected')
  const before = office.asked('GET /api/visits/today').length
  office.state.visits.push(visitOf(3, { name: 'Bilal' }))
  office.send({ type: 'status_update', data: { visitId: 'visit-3', version: 1, token: 'T-003' } })
  expect(await screen.findByText('Bilal')).toBeVisible()
  const asked = office.asked('GET /api/visits/today')
  expect(asked).toHaveLength(before + 1)
  expect(asked.at(-1)?.headers.get('X-Feed-Min')).toMatch(/^visits=e:\d+$/)
})

test('approvals, denials and sessions are told to reception (S6.notify.03, S6.notify.05, S6.notify.07, S6.notify.09)', async () => {
  const { office } = openDesk()
  await screen.findByText('Connected')
  const about = {
    visitId: 'visit-1',
    version: 2,
    token: 'T-001',
    service: 'ITR Filing',
    assignedConsultant: 'CA Rao',
  }
  office.send({ type: 'visit_approved', data: about })
  expect(await screen.findByText('Token T-001 approved for CA Rao')).toBeInTheDocument()
  office.send({ type: 'visit_denied', data: { ...about, name: 'Visitor 1' } })
  expect(await screen.findByText('Token T-001 was denied')).toBeInTheDocument()
  office.send({ type: 'visit_in_session', data: { ...about, name: 'Visitor 1' } })
  expect(await screen.findByText('Token T-001 session has started')).toBeInTheDocument()
  office.send({ type: 'visit_completed', data: { ...about, name: 'Visitor 1', duration: 12 } })
  expect(await screen.findByText('Token T-001 session completed')).toBeInTheDocument()
})
