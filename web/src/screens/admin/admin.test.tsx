import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { AuditRecord, Service } from '@/api/types'
import { consultantOf, dashboardOf, services, userOf, visitOf } from '@/test/fixtures'
import { openOffice } from '@/test/office'
import { renderApp } from '@/test/render-app'

const accounts = [
  { id: 'zoya', name: 'Zoya', role: 'consultant', email: 'z@x.in', isActive: true },
  { id: 'nandini', name: 'Nandini', role: 'consultant', email: 'n@x.in', isActive: true },
  { id: 'divya', name: 'Divya', role: 'reception', email: 'd@x.in', isActive: true },
  { id: userOf('admin').id, name: 'Anand', role: 'admin', email: 'a@x.in', isActive: true },
]
const consultants = [
  consultantOf('zoya', 'Zoya', { specialization: ['GST'], totalSessions: 4 }),
  consultantOf('nandini', 'Nandini', { currentQueue: 2 }),
]
const record = (more: Partial<AuditRecord> = {}): AuditRecord => ({
  id: '18',
  entity: 'visit',
  entityId: 'visit-18',
  action: 'created',
  user: { id: 'divya', name: 'Divya', email: 'd@x.in', role: 'reception' },
  oldValues: null,
  newValues: { status: 'new', service: 'GST Registration' },
  ipAddress: null,
  createdAt: '2026-11-20T06:12:08.000Z',
  ...more,
})

function openAdmin(tab = 'analytics', more: Partial<Parameters<typeof openOffice>[0]> = {}) {
  const office = openOffice({ user: userOf('admin'), consultants, ...more })
  office.answer('GET /api/users', () => ({
    users: accounts,
    pagination: { page: 1, limit: 100, total: accounts.length, pages: 1 },
  }))
  return { office, ...renderApp(`/dashboard/admin?tab=${tab}`) }
}

const panel = (name: string) => screen.findByRole('region', { name })

test('four figures and five tabs in their order (S2.admin.01-05, S2.route.13, S3.analytics.01-04)', async () => {
  openAdmin()
  expect((await screen.findAllByRole('tab')).map((tab) => tab.textContent)).toEqual([
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

test('analytics state the published figures, with the measured ones under them (S2.analytics.01-03, S2.analytics.05-06)', async () => {
  openAdmin()
  const wait = await panel('Average wait time')
  await waitFor(() => expect(wait).toHaveTextContent(/22minutes.*Measured today 14 min/))
  expect(await panel('Completion rate')).toHaveTextContent(/33%.*Completed 4 of 12/)
  const peak = await panel('Peak hours')
  expect(peak).toHaveTextContent('2:00 PM - 4:00 PM')
  expect(peak).toHaveTextContent('2 PM to 4 PM')
})

test('without visits the completion rate is 0% (S2.analytics.04)', async () => {
  openAdmin('analytics', { dashboard: dashboardOf({ total_visits: 0, completed_visits: 0 }) })
  const rate = await panel('Completion rate')
  await waitFor(() => expect(rate).toHaveTextContent(/0%.*Completed 0 of 0/))
})

test('the visitors of today as a table (S2.visitors.01-02)', async () => {
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

test('visitors are found by search and filters; the filters stand in the address, what was typed does not', async () => {
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
  await person.type(screen.getByRole('searchbox'), 'nobody')
  expect(await screen.findByText('No visitors today match these filters')).toBeVisible()
  await person.click(screen.getByRole('button', { name: 'Clear filters' }))
  await waitFor(() => expect(rows()).toEqual(['Ravi', 'Asha']))
})

test('a thousand visitors are drawn as far as they are scrolled to', async () => {
  openAdmin('visitors', { visits: Array.from({ length: 1_000 }, (_, index) => visitOf(index + 1)) })
  const list = await screen.findByRole('group', { name: "Today's visitors" })
  const names = () => within(list).getAllByRole('button', { name: /^History of/ })
  expect(names()).toHaveLength(60)
  expect(names()[0]).toHaveTextContent('Visitor 1000')
  expect(screen.getByText('1000', { selector: '.panel-count' })).toBeVisible()
  fireEvent.scroll(list)
  await waitFor(() => expect(names()).toHaveLength(120))
})

test('a click on a visitor opens the whole history, who did what when', async () => {
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
  expect(office.asked('GET /api/analytics/audit')[0]?.query.toString()).toBe(
    'entity=visit&entity_id=visit-1&limit=100',
  )
  expect(router.state.location.search).toContain('visit=visit-1')
  await person.click(within(history).getByRole('button', { name: 'Close history' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
})

const tally = (total: number) => ({
  total_visits: total,
  new_visits: 0,
  approved_visits: 1,
  in_session_visits: 0,
  completed_visits: total - 1,
  denied_visits: 0,
  avg_wait_minutes: 13,
  longest_wait_minutes: 25,
  avg_session_minutes: 30.3,
  longest_session_minutes: 41,
})

test("a consultant's page has counts and times of a period, which stands in the address", async () => {
  const office = openOffice({ user: userOf('admin'), consultants })
  const call = 'GET /api/analytics/consultants/zoya'
  office.answer(call, () => ({
    period: { start: '2026-11-01', end: '2026-11-20' },
    totals: tally(5),
    days: [{ day: '2026-11-10', ...tally(5) }],
    partners: [{ id: 'itr', name: 'ITR Filing', ...tally(5) }],
  }))
  const { person, router } = renderApp('/dashboard/admin/consultants/zoya?from=2026-11-01&to=2026-11-20')
  expect(await screen.findByRole('heading', { name: 'Zoya' })).toBeVisible()
  const figure = (label: string) => screen.getByText(label, { selector: 'dt' }).nextElementSibling
  expect(await screen.findByText('1 waiting for the session')).toBeVisible()
  expect(figure('Visits')).toHaveTextContent(/^5$/)
  expect(figure('Average wait')).toHaveTextContent(/^13minlongest 25 min$/)
  expect(figure('Average session')).toHaveTextContent(/^30minlongest 41 min$/)
  expect(screen.getByRole('img', { name: 'Visits by day. 10 Nov 2026: 5, 4 completed' })).toBeVisible()
  expect(office.asked(call)[0]?.query.toString()).toBe('start_date=2026-11-01&end_date=2026-11-20')

  await person.click(screen.getByRole('button', { name: '30 days' }))
  await waitFor(() => expect(router.state.location.search).toBe('?days=30'))
  expect(screen.getByRole('link', { name: 'ITR Filing' })).toHaveAttribute(
    'href',
    '/dashboard/admin/services/itr?days=30',
  )
})

test('figures are for an admin', async () => {
  openOffice({ user: userOf('pa') })
  const { path } = renderApp('/dashboard/admin/services/itr')
  await waitFor(() => expect(path()).toBe('/dashboard/pa'))
})

test('the services, active and inactive, with their buttons (S2.services.01-03)', async () => {
  openAdmin('services')
  const row = (name: RegExp) => screen.findByRole('row', { name })
  expect(await row(/ITR Filing/)).toHaveTextContent(/ITR FilingReturns of people30 minActive/)
  expect(await row(/Stamp Vending/)).toHaveTextContent(/5 minInactive/)
  expect(screen.getByRole('button', { name: 'Add Service' })).toBeEnabled()
})

test('a service is added and taken off offer, and the table follows (S2.services.04-05)', async () => {
  const list: Service[] = [...services]
  const { office, person } = openAdmin('services', { services: list })
  office.answer('POST /api/services', () => {
    const added: Service = { id: 'new', name: 'Notices', description: '', est_minutes: 30, is_active: 1 }
    list.push(added)
    return { service: added }
  })
  await person.click(await screen.findByRole('button', { name: 'Add Service' }))
  const dialog = await screen.findByRole('dialog')
  await person.type(within(dialog).getByLabelText('Name'), 'Notices')
  await person.click(within(dialog).getByRole('button', { name: 'Add Service' }))
  expect(await screen.findByRole('row', { name: /Notices/ })).toHaveTextContent('30 min')
  expect(office.asked('POST /api/services')[0]?.body).toEqual({
    name: 'Notices',
    description: '',
    est_minutes: 30,
    is_active: 1,
  })

  office.answer('PUT /api/services/itr', () => ({ service: services[0] ?? {} }))
  await person.click(screen.getByRole('button', { name: 'Deactivate ITR Filing' }))
  await waitFor(() => expect(office.asked('PUT /api/services/itr')[0]?.body).toMatchObject({ is_active: 0 }))
})

test('the staff with what they do and their load (S2.staff.01-03, S3.consultant.02-05)', async () => {
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

test('a staff member is added with a link for the password, and kept out again (S2.staff.04-05)', async () => {
  const { office, person } = openAdmin('staff')
  office.answer('POST /api/users', () => ({ data: accounts[0], invite_url: 'https://office/reset?token=x' }))
  await person.click(await screen.findByRole('button', { name: 'Add Staff Member' }))
  const dialog = await screen.findByRole('dialog')
  await person.type(within(dialog).getByLabelText('Name'), 'Arjun')
  await person.type(within(dialog).getByLabelText('Email'), 'arjun@lekha.in')
  await person.click(within(dialog).getByRole('button', { name: 'Add Staff Member' }))
  expect(await screen.findByDisplayValue('https://office/reset?token=x')).toBeInTheDocument()
  expect(office.asked('POST /api/users')[0]?.body).toEqual({
    name: 'Arjun',
    email: 'arjun@lekha.in',
    role: 'consultant',
  })

  office.answer('PUT /api/users/zoya', () => ({ data: accounts[0] }))
  await person.click(screen.getByRole('button', { name: 'Deactivate Zoya', hidden: true }))
  await waitFor(() =>
    expect(office.asked('PUT /api/users/zoya')[0]?.body).toEqual({ isActive: false, is_active: false }),
  )
})

test('all sessions of a member of staff end after a question, the own ones too', async () => {
  const { office, person } = openAdmin('staff')
  office.answer('POST /api/users/zoya/revoke-sessions', () => ({ ended: 2 }))
  await person.click(await screen.findByRole('button', { name: 'End all sessions of Zoya' }))
  const question = await screen.findByRole('tooltip')
  expect(question).toHaveTextContent('Zoya is signed out on every device and has to sign in again.')
  expect(office.asked('POST /api/users/zoya/revoke-sessions')).toHaveLength(0)
  await person.click(within(question).getByRole('button', { name: 'End all sessions' }))
  expect(await screen.findByText('All sessions ended')).toBeInTheDocument()
  expect(office.asked('POST /api/users/zoya/revoke-sessions')).toHaveLength(1)

  await person.click(screen.getByRole('button', { name: `End all sessions of ${userOf('admin').name}` }))
  expect(
    await screen.findByText('You are signed out on every device, this one included.'),
  ).toBeInTheDocument()
})

test('the audit trail loads nothing before its button is pressed (S2.audit.05, S2.audit.10)', async () => {
  const { office } = openAdmin('audit', { records: [record()] })
  expect(
    await screen.findByText('No audit records found. Apply filters and click Load Audit Trail.'),
  ).toBeInTheDocument()
  expect(office.asked('GET /api/analytics/audit')).toHaveLength(0)
})

test('the trail shows who did what, newest values as JSON (S2.audit.06-09, S3.audit.03)', async () => {
  const nobody = record({
    id: '17',
    user: { id: null, name: '', email: null, role: null },
    action: 'updated',
  })
  const { person } = openAdmin('audit', { records: [record(), nobody] })
  await person.click(await screen.findByRole('button', { name: 'Load Audit Trail' }))
  const row = await screen.findByRole('row', { name: /created/ })
  expect(
    within(screen.getByRole('table'))
      .getAllByRole('columnheader')
      .map((head) => head.textContent),
  ).toEqual(['Date/Time', 'Entity', 'Action', 'User', 'Details'])
  expect(row).toHaveTextContent(
    /11:42:08 AM20 Nov 2026visitvisit-18createdDivyareception.*\{"status":"new","service":"GST Registration"\}/,
  )
  expect(screen.getByRole('row', { name: /updated/ })).toHaveTextContent('System')
})

test('a click on the id of a record leaves only the records of that visit', async () => {
  const { office, person } = openAdmin('audit', { records: [record()] })
  await person.click(await screen.findByRole('button', { name: 'Load Audit Trail' }))
  await person.click(await screen.findByRole('button', { name: `Only records of ${record().entityId}` }))
  await waitFor(() => expect(office.asked('GET /api/analytics/audit')).toHaveLength(2))
  const asked = office.asked('GET /api/analytics/audit')[1]?.query
  expect(asked?.get('entity')).toBe('visit')
  expect(asked?.get('entity_id')).toBe(record().entityId)
})

test('only filters that are set are sent, with page and limit (S2.audit.01-04, S5.audit.01-02)', async () => {
  const { office, person } = openAdmin('audit')
  const load = await screen.findByRole('button', { name: 'Load Audit Trail' })
  expect(screen.getByLabelText('Start date')).toBeInTheDocument()
  expect(screen.getByLabelText('End date')).toBeInTheDocument()
  expect(screen.getByLabelText('Entity type')).toBeInTheDocument()
  await person.click(load)
  await waitFor(() => expect(office.asked('GET /api/analytics/audit')).toHaveLength(1))
  expect(office.asked('GET /api/analytics/audit')[0]?.query.toString()).toBe('page=1&limit=50')

  await person.type(screen.getByLabelText('Entity ID'), 'visit-18')
  await person.click(await screen.findByRole('button', { name: 'Load Audit Trail' }))
  await waitFor(() => expect(office.asked('GET /api/analytics/audit')).toHaveLength(2))
  expect(office.asked('GET /api/analytics/audit')[1]?.query.get('entity_id')).toBe('visit-18')
})

test('the loaded filters stand in the address: an address loads them, old and new stand side by side', async () => {
  const changed = record({
    oldValues: { consultantId: null, status: 'new' },
    newValues: { consultantId: 'zoya', status: 'approved' },
  })
  const { office, person, router } = openAdmin('audit&entity=visit&id=visit-18&page=1', {
    records: [changed],
  })
  const row = await screen.findByRole('row', { name: /created/ })
  await waitFor(() =>
    expect(row).toHaveTextContent(/Consultant id.*before -.*after Zoya.*Status.*before new.*after approved/),
  )
  expect(screen.getByLabelText('Entity ID')).toHaveValue('visit-18')
  expect(office.asked('GET /api/analytics/audit')[0]?.query.toString()).toBe(
    'page=1&limit=50&entity=visit&entity_id=visit-18',
  )
  await person.clear(screen.getByLabelText('Entity ID'))
  await person.click(screen.getByRole('button', { name: 'Load Audit Trail' }))
  await waitFor(() => expect(router.state.location.search).toBe('?tab=audit&entity=visit&page=1'))
  await router.navigate(-1)
  await waitFor(() => expect(screen.getByLabelText('Entity ID')).toHaveValue('visit-18'))
})

test('a trail that cannot be loaded says so and is asked for again by a button (S8.toast.18, S8.load.03)', async () => {
  const { office, person } = openAdmin('audit')
  office.fail('GET /api/analytics/audit', 403, { error: 'no', code: 'forbidden', request_id: 'r' })
  await person.click(await screen.findByRole('button', { name: 'Load Audit Trail' }))
  await waitFor(() => expect(screen.getAllByText('Failed to load audit trail')).toHaveLength(2))
  expect(screen.queryByText(/^No audit records found/)).toBeNull()
  await person.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(office.asked('GET /api/analytics/audit')).toHaveLength(2))
})

afterEach(() => vi.unstubAllGlobals())

function catchDownloads() {
  const saved: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download)
  })
  URL.createObjectURL = () => 'blob:file'
  URL.revokeObjectURL = () => undefined
  return saved
}

test('the export is saved under its two dates, empty ones left out of the request and today in the name (S2.analytics.07-08, S5.audit.03, S7.api.21-23, S8.toast.19)', async () => {
  const saved = catchDownloads()
  const { office, person } = openAdmin()
  office.answer('GET /api/analytics/export', () => ({}))
  expect(await screen.findByLabelText('Start date')).toBeInTheDocument()
  expect(screen.getByLabelText('End date')).toBeInTheDocument()
  await person.click(screen.getByRole('button', { name: 'Export Visitor Data' }))
  expect(await screen.findByText('Data exported successfully')).toBeInTheDocument()
  expect(office.asked('GET /api/analytics/export')[0]?.query.toString()).toBe('')
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata' }).format(new Date())
  expect(saved).toEqual([`visitors_${today}_${today}.csv`])
})

test('an export that is under way can be cancelled, and saves nothing then', async () => {
  const saved = catchDownloads()
  const { office, person } = openAdmin()
  office.answer('GET /api/analytics/export', () => ({}))
  const release = office.hold('GET /api/analytics/export')
  await person.click(await screen.findByRole('button', { name: 'Export Visitor Data' }))
  expect(await screen.findByRole('progressbar', { name: 'Export progress' })).toBeInTheDocument()
  await person.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(await screen.findByText('Export cancelled')).toBeInTheDocument()
  expect(saved).toEqual([])
  release()
})

test('a failed export says so and saves nothing (S8.toast.20, S8.load.04)', async () => {
  const saved = catchDownloads()
  const { office, person } = openAdmin()
  office.fail('GET /api/analytics/export')
  await person.click(await screen.findByRole('button', { name: 'Export Visitor Data' }))
  expect(await screen.findByText('Failed to export data')).toBeInTheDocument()
  expect(saved).toEqual([])
})
