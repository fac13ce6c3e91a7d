import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { keys } from '@/storage'
import { appointmentOf, userOf, visitOf } from '@/test/fixtures'
import { openOffice } from '@/test/office'
import { renderApp } from '@/test/render-app'
import { server } from '@/test/server'

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

// S2.reception.01-03, S2.route.07
test('the desk shows its heading, the live badge and the number of visitors today', async () => {
  openDesk()
  expect(await screen.findByRole('heading', { name: 'Receptionist Dashboard' })).toBeVisible()
  expect(await screen.findByText('Connected')).toBeVisible()
  expect(await screen.findByText('visitors today')).toHaveTextContent('2 visitors today')
})

// S2.reception.12-13, S2.reception.15-21, S3.visit.02-04
test('each visit of today has one row with the data of the desk', async () => {
  openDesk()
  const list = await screen.findByRole('group', { name: 'Current Queue Status' })
  const rows = within(list).getAllByRole('listitem')
  expect(rows).toHaveLength(2)
  expect(rows[0]).toHaveTextContent(/T-002.*Visitor 2.*9876543202.*ITR Filing.*Zoya.*7 min.*approved/)
  expect(rows[1]).toHaveTextContent(/T-001.*Visitor 1.*9876543201.*ITR Filing.*7 min.*new/)
  expect(rows[1]).not.toHaveTextContent('Zoya')
})

test.each([
  ['typed', '98450 33333'],
  ['pasted', '+91 98450 33333'],
])('a number %s as the name goes to the phone, and typing goes on there', async (how, number) => {
  const { person } = openDesk()
  const name = await screen.findByLabelText('Visitor Name')
  await person.click(name)
  if (how === 'typed') await person.keyboard(number)
  else await person.paste(number)
  expect(name).toHaveValue('')
  const phone = screen.getByLabelText('Phone Number')
  expect(phone).toHaveFocus()
  expect(phone).toHaveValue('9845033333')
})

// S2.reception.14
test('an empty day has a text', async () => {
  openDesk([])
  expect(await screen.findByText('No visitors registered today')).toBeVisible()
})

// S2.reception.04-10, S8.toast.09, S3.create.01-03, S5.reception.05
test('a registration creates a token, a toast and a ticket, and empties the form', async () => {
  const desk = openDesk()
  await fillForm(desk)
  await desk.person.click(screen.getByRole('button', { name: 'Create Token' }))

  expect(await screen.findByText('Token T-008 created successfully')).toBeInTheDocument()
  expect(await screen.findByRole('article', { name: 'Token T-008' })).toHaveTextContent('Asha')
  expect(desk.office.requests('POST /api/visits')[0]?.body).toEqual({
    name: 'Asha',
    phone: '9876543210',
    notes: '',
    service_id: 'itr',
    told_by: 'slip',
    serviceId: 'itr',
    reception_id: 'reception-user',
  })
  const name = screen.getByLabelText('Visitor Name')
  await waitFor(() => expect(name).toHaveValue(''))
  expect(name).toHaveFocus()
})

// S3.create.04
test('without a stored user the reception id is reception-001', async () => {
  const desk = openDesk()
  await fillForm(desk)
  localStorage.removeItem(keys.user)
  await desk.person.click(screen.getByRole('button', { name: 'Create Token' }))
  await screen.findByText('Token T-008 created successfully')
  expect(desk.office.requests('POST /api/visits')[0]?.body).toMatchObject({ reception_id: 'reception-001' })
})

// S2.reception.11
test('while the token is created the button shows it and is disabled', async () => {
  const desk = openDesk()
  const release = desk.office.hold('POST /api/visits')
  await fillForm(desk)
  await desk.person.click(screen.getByRole('button', { name: 'Create Token' }))
  const busy = await screen.findByRole('button', { name: 'Creating Token...' })
  expect(busy).toBeDisabled()
  await desk.person.type(screen.getByLabelText('Visitor Name'), '{Enter}')
  release()
  await screen.findByText('Token T-008 created successfully')
  expect(desk.office.requests('POST /api/visits')).toHaveLength(1)
  expect(screen.getByRole('button', { name: 'Create Token' })).toBeEnabled()
})

// S5.reception.01-02, S5.reception.04
test('a form without name, phone and service is not sent and shows the errors', async () => {
  const desk = openDesk()
  await desk.person.click(await screen.findByRole('button', { name: 'Create Token' }))
  expect(await screen.findByText('Name is required')).toBeInTheDocument()
  expect(screen.getByText('Phone number is required')).toBeInTheDocument()
  expect(screen.getByText('Service is required')).toBeInTheDocument()
  expect(desk.office.requests('POST /api/visits')).toHaveLength(0)
})

// S5.reception.03
test.each(['987654321', '98765432101', '98765abcde', '+919876543', '+1 98765 43210'])(
  'the phone %s is not ten digits',
  async (phone) => {
    const desk = openDesk()
    await fillForm(desk, phone)
    await desk.person.click(screen.getByRole('button', { name: 'Create Token' }))
    expect(await screen.findByText('Please enter a valid 10-digit phone number')).toBeInTheDocument()
    expect(desk.office.requests('POST /api/visits')).toHaveLength(0)
  },
)

// S8.toast.08
test('a failed registration keeps the input and is repeated with the same key', async () => {
  const desk = openDesk()
  desk.office.fail('POST /api/visits')
  await fillForm(desk)
  await desk.person.click(screen.getByRole('button', { name: 'Create Token' }))
  expect(await screen.findByText('Failed to create visitor token')).toBeInTheDocument()
  expect(screen.getByLabelText('Visitor Name')).toHaveValue('Asha')

  desk.office.mend('POST /api/visits')
  await desk.person.click(screen.getByRole('button', { name: 'Create Token' }))
  await screen.findByText('Token T-008 created successfully')
  const keysSent = desk.office
    .requests('POST /api/visits')
    .map(({ headers }) => headers.get('Idempotency-Key'))
  expect(keysSent).toHaveLength(2)
  expect(new Set(keysSent).size).toBe(1)
})

// S2.reception.08
test('the services offered are the active ones, with their minutes', async () => {
  const { person } = openDesk()
  await person.click(await screen.findByLabelText('Service Required'))
  const option = (await screen.findAllByText('GST Registration'))[0]
  expect(option?.parentElement).toHaveTextContent('45 min')
  expect(screen.queryByText('Stamp Vending')).not.toBeInTheDocument()
})

// S8.toast.05-06
test("services and visits that fail to load show the desk's errors and a button that loads again", async () => {
  const office = openOffice({ user: userOf('reception') })
  office.fail('GET /api/services')
  office.fail('GET /api/visits/today')
  const { person } = renderApp('/dashboard/receptionist')
  expect(await screen.findByText('Failed to load services')).toBeInTheDocument()
  expect((await screen.findAllByText('Failed to load dashboard data')).length).toBeGreaterThan(0)

  office.mend('GET /api/visits/today')
  const queue = screen.getByRole('region', { name: 'Current Queue Status' })
  await person.click(within(queue).getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('No visitors registered today')).toBeVisible()
})

test('services that failed to load can be loaded again from the form', async () => {
  const office = openOffice({ user: userOf('reception'), visits: [visitOf(1)] })
  office.fail('GET /api/services')
  const { person } = renderApp('/dashboard/receptionist')
  expect(await screen.findByText('Services could not be loaded.')).toBeInTheDocument()
  office.mend('GET /api/services')
  await person.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(screen.queryByText('Services could not be loaded.')).toBeNull())
  await person.click(screen.getByLabelText('Service Required'))
  expect((await screen.findAllByText('GST Registration'))[0]).toBeInTheDocument()
})

// S1.live.01, S4.live.03
test('a change at another desk appears without a reload, by one request', async () => {
  const { office } = openDesk()
  await screen.findByText('Visitor 1')
  await screen.findByText('Connected')
  const before = office.requests('GET /api/visits/today').length
  office.state.visits.push(visitOf(3, { name: 'Bilal' }))
  office.send({ type: 'status_update', data: { visitId: 'visit-3', version: 1, token: 'T-003' } })
  expect(await screen.findByText('Bilal')).toBeVisible()
  const after = office.requests('GET /api/visits/today')
  expect(after).toHaveLength(before + 1)
  expect(after.at(-1)?.headers.get('X-Feed-Min')).toMatch(/^visits=e:\d+$/)
})

// S6.notify.03, S6.notify.05, S6.notify.07, S6.notify.09
test('approvals, denials and sessions alert reception', async () => {
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

const known = { name: 'Asha Rao', language: 'en', visits: 3, lastVisit: '2026-11-12' }

test('a returning visitor is found at the tenth digit, and Enter takes the name', async () => {
  const { office, person } = openDesk()
  office.answer('POST /api/visits/lookup', () => ({ visitor: known }))
  const phone = await screen.findByLabelText('Phone Number')
  await person.type(phone, '987654321')
  expect(office.requests('POST /api/visits/lookup')).toHaveLength(0)
  await person.type(phone, '0')
  expect(await screen.findByText(/has been here 3 times, last on 12 Nov 2026/)).toBeVisible()
  expect(office.requests('POST /api/visits/lookup').map(({ body }) => body)).toEqual([
    { phone: '9876543210' },
  ])
  await person.keyboard('{Enter}')
  await waitFor(() => expect(screen.getByLabelText('Visitor Name')).toHaveValue('Asha Rao'))
  expect(screen.getByLabelText('Service Required')).toHaveFocus()
  expect(screen.queryByRole('button', { name: /Use this name/ })).not.toBeInTheDocument()
})

test('Enter before the lookup is answered still takes the name; an unknown visitor needs a name', async () => {
  const { office, person } = openDesk()
  office.answer('POST /api/visits/lookup', () => ({ visitor: known }))
  const release = office.hold('POST /api/visits/lookup')
  await person.type(await screen.findByLabelText('Phone Number'), '9876543210{Enter}')
  release()
  await waitFor(() => expect(screen.getByLabelText('Visitor Name')).toHaveValue('Asha Rao'))
  expect(screen.queryByText('Name is required')).not.toBeInTheDocument()

  office.answer('POST /api/visits/lookup', () => ({ visitor: null }))
  await person.clear(screen.getByLabelText('Visitor Name'))
  await person.clear(screen.getByLabelText('Phone Number'))
  await person.type(screen.getByLabelText('Phone Number'), '9876543219{Enter}')
  expect(await screen.findByText('Name is required')).toBeInTheDocument()
})

test('a visitor whose lookup fails is registered like any other', async () => {
  const desk = openDesk()
  desk.office.fail('POST /api/visits/lookup')
  await fillForm(desk)
  await desk.person.keyboard('{Enter}')
  expect(await screen.findByText('Token T-008 created successfully')).toBeInTheDocument()
})

test('a registration without a response is kept over a reload and repeated with the same key', async () => {
  const desk = openDesk()
  server.use(http.post('*/api/visits', () => HttpResponse.error()))
  await fillForm(desk)
  await desk.person.click(screen.getByRole('button', { name: 'Create Token' }))
  const kept = 'No connection. Your entry is kept and is sent when the connection is back.'
  expect((await screen.findAllByText(kept)).length).toBeGreaterThan(0)
  const stored = JSON.parse(sessionStorage.getItem('baari.drafts') ?? '{}') as {
    texts: Record<string, string>
  }
  const [name = ''] = Object.keys(stored.texts).filter((one) => one.startsWith('kept/'))
  const key = name.replace('kept/', '')
  expect(screen.getByLabelText('Visitor Name')).toHaveValue('')
  desk.unmount()
  server.resetHandlers()

  const office = openOffice({ user: userOf('reception') })
  office.answer('POST /api/visits', () => ({ visit: newVisit }))
  renderApp('/dashboard/receptionist')
  expect(await screen.findByText('Token T-008 created successfully')).toBeInTheDocument()
  const sent = office.requests('POST /api/visits')
  expect(sent.map(({ headers }) => headers.get('Idempotency-Key'))).toEqual([key])
  expect(sent[0]?.body).toMatchObject({ name: 'Asha', phone: '9876543210', service_id: 'itr' })
  expect(screen.getByLabelText('Visitor Name')).toHaveValue('')
})

const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata' }).format(new Date())
const later = appointmentOf('r1', { name: 'Leela', message: 'With my father', preferredDate: '2099-11-23' })
const request = { ...later, preferredDate: today }

function openRequests(requests = [request], tab = 'appointments') {
  const office = openOffice({ user: userOf('reception') })
  const state = { requests }
  const asked = () => office.requests('GET /api/appointments').at(-1)?.query.get('date')
  office.answer('GET /api/appointments', () => ({
    appointments: state.requests.filter(({ preferredDate }) => !asked() || preferredDate === asked()),
    pagination: { page: 1, limit: 20, total: state.requests.length, pages: 1 },
  }))
  office.answer('PUT /api/appointments/r1', () => {
    const { status } = office.requests('PUT /api/appointments/r1').at(-1)?.body as { status: 'done' }
    state.requests = []
    return { appointment: { ...request, status } }
  })
  office.answer('POST /api/visits', () => ({ visit: newVisit }))
  return { office, state, ...renderApp(`/dashboard/receptionist?tab=${tab}`) }
}

// S2.appt.11
test('reception sees the requests and their number, and answers them', async () => {
  const { office, person } = openRequests([later], 'appointments&view=requests')
  const entry = await screen.findByRole('listitem', { name: 'Leela' })
  expect(entry).toHaveTextContent(/23 Nov 2099.*11:00.*Leela.*GST Registration.*Pending/)
  const tab = screen.getByRole('tab', { name: /^Appointments/ })
  await waitFor(() => expect(tab).toHaveTextContent('1 not answered yet'))
  await person.click(within(entry).getByRole('button', { name: 'Confirm and send: Leela' }))
  expect(await screen.findByText('No requests')).toBeVisible()
  expect(office.requests('PUT /api/appointments/r1')[0]?.body).toEqual({
    status: 'confirmed',
    tell: true,
    version: 1,
  })
})

test('who is expected today stands above the queue with one button, which checks in', async () => {
  const { office, person } = openRequests(
    [
      { ...request, status: 'confirmed' },
      { ...later, id: 'r2', name: 'Later' },
    ],
    'waiting',
  )
  const expected = await screen.findByRole('region', { name: 'Expected today' })
  expect(expected).toHaveTextContent(/11:00 AM.*Leela.*GST Registration/)
  expect(expected).not.toHaveTextContent('Later')
  await person.click(within(expected).getByRole('button', { name: 'Check in Leela' }))
  expect(await screen.findByText('Token T-008 created successfully')).toBeInTheDocument()
  expect(office.requests('POST /api/visits')[0]?.body).toMatchObject({ name: 'Leela', appointment_id: 'r1' })
  expect(office.requests('PUT /api/appointments/r1')).toHaveLength(0)
})

test('a visitor who is expected today is found by the phone number', async () => {
  const { office, person } = openRequests([request], 'waiting')
  await screen.findByRole('region', { name: 'Expected today' })
  await person.type(screen.getByLabelText('Phone Number'), '9876543210')
  expect(
    await screen.findByText('Leela is expected today at 11:00 AM for GST Registration.'),
  ).toBeInTheDocument()
  await person.click(screen.getByRole('button', { name: 'Use the request' }))
  expect(screen.getByLabelText('Visitor Name')).toHaveValue('Leela')
  await person.click(screen.getByRole('button', { name: 'Create Token' }))
  await waitFor(() =>
    expect(office.requests('PUT /api/appointments/r1')[0]?.body).toEqual({ status: 'done' }),
  )
})

test('a request that is not registered leaves the form empty and stays open', async () => {
  const { office, person } = openRequests([{ ...request, serviceId: null }])
  await person.click(await screen.findByRole('button', { name: 'Check in Leela' }))
  await person.click(await screen.findByRole('button', { name: 'Clear' }))
  expect(screen.getByLabelText('Visitor Name')).toHaveValue('')
  expect(office.requests('PUT /api/appointments/r1')).toHaveLength(0)
})

test('a new request appears without a reload', async () => {
  const { office, state } = openRequests([], 'appointments&view=requests')
  await screen.findByText('No requests')
  await screen.findByText('Connected')
  state.requests = [request]
  office.send({ type: 'status_update', data: { entity: 'appointment', entityId: 'r1' } })
  expect(await screen.findByRole('listitem', { name: 'Leela' })).toBeVisible()
})
