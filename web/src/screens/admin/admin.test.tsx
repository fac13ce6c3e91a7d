import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import type { Service, Stage } from '@/api/types'
import { dialogOf } from '@/test/dialog-of'
import { dashboardOf, deskOf, lineOf, placeOf, queueOf, services, userOf, visitOf } from '@/test/fixtures'
import { liveThrough } from '@/test/life'
import { accounts, openAdmin, record } from '@/test/open-admin'
import { server } from '@/test/server'

const panel = (name: string) => screen.findByRole('region', { name })

// S2.admin.01-05, S2.route.13, S3.analytics.01-04
test('the admin has four figures, and the five tabs of the specification first', async () => {
  openAdmin()
  expect((await screen.findAllByRole('tab')).map((tab) => tab.textContent).slice(0, 5)).toEqual([
    'Analytics',
    'Visitors',
    'Services',
    'Staff',
    'Audit Trail',
  ])
  const figure = (label: string) => screen.getByText(label, { selector: 'dt' }).nextElementSibling
  await waitFor(() => expect(figure('Total Visitors')).toHaveTextContent(/^12$/))
  expect(figure('Pending Approvals')).toHaveTextContent(/^3$/)
  expect(figure('In Session')).toHaveTextContent(/^2$/)
  expect(figure('Completed')).toHaveTextContent(/^4$/)
})

// S2.analytics.01-03, S2.analytics.05-06
test('analytics show the published figures and the measured ones below', async () => {
  openAdmin()
  const wait = await panel('Average wait time')
  await waitFor(() => expect(wait).toHaveTextContent(/22minutes.*Measured today 14 min/))
  expect(await panel('Completion rate')).toHaveTextContent(/33%.*Completed 4 of 12/)
  const peak = await panel('Peak hours')
  expect(peak).toHaveTextContent('2:00 PM - 4:00 PM')
  expect(peak).toHaveTextContent('2 PM to 4 PM')
})

// S2.analytics.04
test('without visits the completion rate is 0%', async () => {
  openAdmin('analytics', { dashboard: dashboardOf({ total_visits: 0, completed_visits: 0 }) })
  const rate = await panel('Completion rate')
  await waitFor(() => expect(rate).toHaveTextContent(/0%.*Completed 0 of 0/))
})

// S2.visitors.01-02
test('the visitors of today are a table', async () => {
  openAdmin('visitors', { visits: [visitOf(1, { status: 'approved', assignedConsultant: 'Zoya' })] })
  const table = await screen.findByRole('table')
  expect(
    within(table)
      .getAllByRole('columnheader')
      .map((head) => head.textContent),
  ).toEqual(['Token', 'Name', 'Service', 'Status', 'Consultant', 'Time'])
  expect(within(table).getByRole('row', { name: /T-001/ })).toHaveTextContent(
    /T-001Visitor 1ITR FilingapprovedZoya11:00 AM/,
  )
})

const asha = visitOf(1, {
  name: 'Asha',
  status: 'approved',
  assignedConsultant: 'Zoya',
  assignedConsultantId: 'zoya',
})
const ravi = visitOf(2, {
  name: 'Ravi',
  phone: '9000000001',
  service: { id: 'gst', name: 'GST Registration' },
})

test('visitors are found by search and filters; only the filters are in the address', async () => {
  const { person, router } = openAdmin('visitors', { visits: [asha, ravi] })
  const rows = () => screen.queryAllByRole('button', { name: /^History of/ }).map((name) => name.textContent)
  await waitFor(() => expect(rows()).toEqual(['Ravi', 'Asha']))
  await person.type(screen.getByRole('searchbox'), '90000')
  await waitFor(() => expect(rows()).toEqual(['Ravi']))
  expect(router.state.location.search).toBe('?tab=visitors')
  await person.clear(screen.getByRole('searchbox'))
  await person.click(screen.getByRole('combobox', { name: 'Status' }))
  await person.click(await screen.findByTitle('approved'))
  await waitFor(() => expect(rows()).toEqual(['Asha']))
  expect(router.state.location.search).toBe('?tab=visitors&status=approved')
  await person.type(screen.getByRole('searchbox'), 'no such visitor')
  expect(await screen.findByText('No visitors today match these filters')).toBeVisible()
  await person.click(screen.getByRole('button', { name: 'Clear filters' }))
  await waitFor(() => expect(rows()).toEqual(['Ravi', 'Asha']))
})

test('of a thousand visitors, rows are drawn as they are scrolled to', async () => {
  openAdmin('visitors', { visits: Array.from({ length: 1_000 }, (_, index) => visitOf(index + 1)) })
  const list = await screen.findByRole('group', { name: "Today's visitors" })
  const names = () => within(list).getAllByRole('button', { name: /^History of/ })
  expect(names()).toHaveLength(60)
  expect(names()[0]).toHaveTextContent('Visitor 1000')
  expect(screen.getByText('1,000', { selector: '.panel-count' })).toBeVisible()
  fireEvent.scroll(list)
  await waitFor(() => expect(names()).toHaveLength(120))
})

test("a click on a visitor opens the visit's history with user, action and time", async () => {
  const records = [
    record({
      id: '2',
      action: 'approved',
      newValues: { consultantName: 'Zoya', paNotes: 'Bring the notice' },
    }),
    record({ id: '1', newValues: { serviceName: 'ITR Filing', receptionNotes: 'Two Form 16s' } }),
  ]
  const { office, person, router } = openAdmin('visitors', { visits: [asha], records })
  await person.click(await screen.findByRole('button', { name: 'History of T-001 Asha' }))
  const history = await screen.findByRole('dialog', { name: 'T-001 Asha' })
  const [first, second] = await within(history).findAllByRole('listitem')
  expect(first).toHaveTextContent(
    /Registered.*11:42:08 AM, 20 Nov 2026.*Divya \(reception\).*ITR Filing.*Two Form 16s/,
  )
  expect(second).toHaveTextContent(/Approved.*For Zoya.*Bring the notice/)
  expect(office.requests('GET /api/analytics/audit')[0]?.query.toString()).toBe(
    'entity=visit&entity_id=visit-1&limit=100',
  )
  expect(router.state.location.search).toContain('visit=visit-1')
  await person.click(within(history).getByRole('button', { name: 'Close history' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
})

// S2.services.01-03
test('active and inactive services are listed with their buttons', async () => {
  openAdmin('services')
  const row = (name: RegExp) => screen.findByRole('row', { name })
  expect(await row(/ITR Filing/)).toHaveTextContent(/ITR Filing.*Returns of people30 minActive/)
  expect(await row(/Stamp Vending/)).toHaveTextContent(/5 minInactive/)
  expect(screen.getByRole('button', { name: 'Add Service' })).toBeEnabled()
})

test('a service is named in other languages; the table counts them', async () => {
  const kannada = { name: 'ಐಟಿಆರ್ ಸಲ್ಲಿಕೆ', description: '' }
  const list = services.map((service) =>
    service.id === 'itr' ? { ...service, texts: { kn: kannada } } : service,
  )
  const { office, person } = openAdmin('services', { services: list })
  const row = await screen.findByRole('row', { name: /ITR Filing/ })
  expect(row).toHaveTextContent('Named in 1 of 5 other languages')
  office.answer('PUT /api/services/itr', () => ({ service: list[0] ?? {} }))
  await person.click(within(row).getByRole('button', { name: 'Edit ITR Filing' }))
  const dialog = await screen.findByRole('dialog')
  await person.click(within(dialog).getByRole('button', { name: 'Other languages' }))
  expect(within(dialog).getByLabelText('Name, ಕನ್ನಡ')).toHaveValue(kannada.name)
  await person.type(within(dialog).getByLabelText('Name, हिन्दी'), 'आयकर विवरणी')
  await person.clear(within(dialog).getByLabelText('Name, ಕನ್ನಡ'))
  await person.click(within(dialog).getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(office.requests('PUT /api/services/itr')[0]?.body).toMatchObject({
      texts: { hi: { name: 'आयकर विवरणी', description: '' } },
    }),
  )
  expect(office.requests('PUT /api/services/itr')[0]?.body).not.toHaveProperty('texts.kn')
})

// S2.services.04-05
test('a service is added and deactivated, and the table is updated', async () => {
  const list: Service[] = [...services]
  const { office, person } = openAdmin('services', { services: list })
  office.answer('POST /api/services', () => {
    const added: Service = {
      id: 'new',
      name: 'Notices',
      description: '',
      est_minutes: 30,
      is_active: 1,
      texts: {},
      group: 'other',
      documents: [],
    }
    list.push(added)
    return { service: added }
  })
  await person.click(await screen.findByRole('button', { name: 'Add Service' }))
  const dialog = await screen.findByRole('dialog')
  await person.type(within(dialog).getByLabelText('Name'), 'Notices')
  await person.click(within(dialog).getByRole('button', { name: 'Add a paper' }))
  await person.type(within(dialog).getByRole('textbox', { name: 'Paper' }), 'The notice')
  await person.click(within(dialog).getByText('In other languages'))
  await person.type(within(dialog).getByLabelText('ಕನ್ನಡ'), 'ನೋಟಿಸ್')
  await person.click(within(dialog).getByRole('button', { name: 'Add Service' }))
  expect(await screen.findByRole('row', { name: /Notices/ })).toHaveTextContent('30 min')
  expect(office.requests('POST /api/services')[0]?.body).toEqual({
    name: 'Notices',
    description: '',
    est_minutes: 30,
    is_active: 1,
    documents: [{ label: 'The notice', required: true, labels: { kn: 'ನೋಟಿಸ್' } }],
  })

  office.answer('PUT /api/services/itr', () => ({ service: services[0] ?? {} }))
  await person.click(screen.getByRole('button', { name: 'Deactivate ITR Filing' }))
  await waitFor(() =>
    expect(office.requests('PUT /api/services/itr')[0]?.body).toMatchObject({ is_active: 0 }),
  )
})

test('a paper keeps its key when its name changes', async () => {
  const pan = { key: 'pan', label: 'PAN', required: true, labels: { hi: 'पैन' } }
  const list: Service[] = services.map((one) => (one.id === 'itr' ? { ...one, documents: [pan] } : one))
  const { office, person } = openAdmin('services', { services: list })
  office.answer('PUT /api/services/itr', () => ({ service: list[0] ?? {} }))
  await person.click(await screen.findByRole('button', { name: 'Edit ITR Filing' }))
  const dialog = await screen.findByRole('dialog')
  await person.type(within(dialog).getByRole('textbox', { name: 'Paper' }), ' card')
  await person.click(within(dialog).getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(office.requests('PUT /api/services/itr')[0]?.body).toMatchObject({
      documents: [{ ...pan, label: 'PAN card' }],
    }),
  )
})

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
  expect(screen.queryByText('Staff member saved')).toBeNull()
  await person.click(undo)
  await waitFor(() => expect(office.requests('POST /api/users/zoya/undo')).toHaveLength(1))
  expect(await screen.findByText('The change of Zoya was undone')).toBeInTheDocument()
  expect(screen.queryByRole('button', { name: /^Undo/ })).toBeNull()
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
  await screen.findByRole('button', { name: 'Change the desk of Zoya' })
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

test("all sessions of a member of staff end after a confirmation, also the admin's own", async () => {
  const { office, person } = openAdmin('staff')
  office.answer('POST /api/users/zoya/revoke-sessions', () => ({ ended: 2 }))
  await person.click(await screen.findByRole('button', { name: 'End all sessions of Zoya' }))
  const question = await screen.findByRole('tooltip')
  expect(question).toHaveTextContent('Zoya is signed out on every device and has to sign in again.')
  expect(office.requests('POST /api/users/zoya/revoke-sessions')).toHaveLength(0)
  await person.click(within(question).getByRole('button', { name: 'End all sessions' }))
  expect(await screen.findByText('All sessions ended')).toBeInTheDocument()
  expect(office.requests('POST /api/users/zoya/revoke-sessions')).toHaveLength(1)

  await person.click(screen.getByRole('button', { name: `End all sessions of ${userOf('admin').name}` }))
  expect(
    await screen.findByText('You are signed out on every device, this one included.'),
  ).toBeInTheDocument()
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
