import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { openAdmin, record } from '@/test/open-admin'

// S2.audit.05, S2.audit.10
test('the audit trail loads nothing before its button is pressed', async () => {
  const { office } = openAdmin('audit', { records: [record()] })
  expect(
    await screen.findByText('No audit records found. Apply filters and click Load Audit Trail.'),
  ).toBeInTheDocument()
  expect(office.requests('GET /api/analytics/audit')).toHaveLength(0)
})

// S2.audit.06-09, S3.audit.03
test('the trail shows user, action and changes, with the values as JSON', async () => {
  const bySystem = record({
    id: '17',
    user: { id: null, name: '', email: null, role: null },
    action: 'updated',
  })
  const { person } = openAdmin('audit', { records: [record(), bySystem] })
  await person.click(await screen.findByRole('button', { name: 'Load Audit Trail' }))
  const row = await screen.findByRole('row', { name: /created/ })
  expect(
    within(screen.getByRole('table'))
      .getAllByRole('columnheader')
      .map((head) => head.textContent),
  ).toEqual(['Date/Time', 'Entity', 'Action', 'User', 'Details'])
  expect(row).toHaveTextContent(/^20 Nov 2026 11:42:08 AMvisit visit-18 T-018createdDivya, reception/)
  expect(row).toHaveTextContent(/Divya registered T-018 of Asha.*Changes/)
  expect(row).toHaveTextContent('{"status":"new","service":"GST Registration"}')
  expect(screen.getByRole('row', { name: /updated/ })).toHaveTextContent('System')
})

test('a record is one line that opens to its changes; of the id the begin is on screen', async () => {
  const { person } = openAdmin('audit', { records: [record()] })
  await person.click(await screen.findByRole('button', { name: 'Load Audit Trail' }))
  const changes = (await screen.findByText('Service')).closest('dl')
  expect(changes).not.toBeVisible()
  await person.click(screen.getByText('Changes'))
  expect(changes).toBeVisible()
  const id = screen.getByText('visit-18')
  expect(id).toHaveClass('trail-id')
  expect(id).toHaveAttribute('title', 'visit-18')
})

test('a token or name finds records, and is kept for Back but not in the address', async () => {
  const { office, person, router } = openAdmin('audit', { records: [record()] })
  await person.type(await screen.findByLabelText('Token or name'), ' Asha K ')
  await person.click(screen.getByRole('button', { name: 'Load Audit Trail' }))
  const asked = () => office.requests('GET /api/analytics/audit').map(({ query }) => query.get('q'))
  await waitFor(() => expect(asked()).toEqual(['Asha K']))
  expect(router.state.location.search).toBe('?tab=audit&entity=visit&page=1')
  const field = await screen.findByLabelText('Token or name')
  expect(field).toHaveValue('Asha K')
  await person.clear(field)
  await person.click(await screen.findByRole('button', { name: 'Load Audit Trail' }))
  await waitFor(() => expect(asked()).toEqual(['Asha K', null]))
  await router.navigate(-1)
  await waitFor(() => expect(asked()).toEqual(['Asha K', null, 'Asha K']))
  await waitFor(() => expect(screen.getByLabelText('Token or name')).toHaveValue('Asha K'))
})

test('a token or name stays for all records and for those of visits, not for others', async () => {
  const { office, person } = openAdmin('audit', { records: [record()] })
  await person.type(await screen.findByLabelText('Token or name'), 'Asha')
  await person.click(screen.getByRole('button', { name: 'Load Audit Trail' }))
  const asked = () =>
    office.requests('GET /api/analytics/audit').map(({ query }) => [query.get('entity'), query.get('q')])
  const all: (string | null)[][] = [['visit', 'Asha']]
  await waitFor(() => expect(asked()).toEqual(all))
  for (const [view, entity, q] of [
    ['Everything', null, 'Asha'],
    ['Visits', 'visit', 'Asha'],
    ['Sign-ins', 'session', null],
  ] as const) {
    await person.click(await screen.findByRole('button', { name: view }))
    all.push([entity, q])
    await waitFor(() => expect(asked()).toEqual(all))
  }
})

test('a click on the id of a record shows only the records of that visit', async () => {
  const { office, person } = openAdmin('audit', { records: [record()] })
  await person.click(await screen.findByRole('button', { name: 'Load Audit Trail' }))
  await person.click(await screen.findByRole('button', { name: `Only records of ${record().entityId}` }))
  await waitFor(() => expect(office.requests('GET /api/analytics/audit')).toHaveLength(2))
  const query = office.requests('GET /api/analytics/audit')[1]?.query
  expect(query?.get('entity')).toBe('visit')
  expect(query?.get('entity_id')).toBe(record().entityId)
})

// S2.audit.01-04, S5.audit.01-02
test('only filters that are set are sent, with page and limit', async () => {
  const { office, person } = openAdmin('audit')
  await screen.findByRole('button', { name: 'Load Audit Trail' })
  expect(screen.getByLabelText('Start date')).toBeInTheDocument()
  expect(screen.getByLabelText('End date')).toBeInTheDocument()
  expect(screen.getByLabelText('Entity type')).toBeInTheDocument()
  await person.click(screen.getByRole('button', { name: 'Everything' }))
  await waitFor(() => expect(office.requests('GET /api/analytics/audit')).toHaveLength(1))
  expect(office.requests('GET /api/analytics/audit')[0]?.query.toString()).toBe('page=1&limit=50')

  await person.type(screen.getByLabelText('Entity ID'), 'visit-18')
  await person.click(await screen.findByRole('button', { name: 'Load Audit Trail' }))
  await waitFor(() => expect(office.requests('GET /api/analytics/audit')).toHaveLength(2))
  expect(office.requests('GET /api/analytics/audit')[1]?.query.get('entity_id')).toBe('visit-18')
})

test('the loaded filters are in the address, and the address loads them again', async () => {
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
  expect(office.requests('GET /api/analytics/audit')[0]?.query.toString()).toBe(
    'page=1&limit=50&entity=visit&entity_id=visit-18',
  )
  await person.clear(screen.getByLabelText('Entity ID'))
  await person.click(screen.getByRole('button', { name: 'Load Audit Trail' }))
  await waitFor(() => expect(router.state.location.search).toBe('?tab=audit&entity=visit&page=1'))
  await router.navigate(-1)
  await waitFor(() => expect(screen.getByLabelText('Entity ID')).toHaveValue('visit-18'))
})

test('the trail opens on visits, each with a sentence; sign-ins and readings are one click away', async () => {
  const started = record({ action: 'started', visit: { token: 'T-014', name: 'Asha Kulkarni' } })
  const { office, person } = openAdmin('audit', { records: [started] })
  expect(await screen.findByRole('button', { name: 'Visits', pressed: true })).toBeInTheDocument()
  await person.click(screen.getByRole('button', { name: 'Load Audit Trail' }))
  expect(await screen.findByText('Divya started T-014 with Asha Kulkarni')).toBeInTheDocument()
  await person.click(screen.getByRole('button', { name: 'Sign-ins' }))
  await waitFor(() => expect(office.requests('GET /api/analytics/audit')).toHaveLength(2))
  await person.click(await screen.findByRole('button', { name: 'Views of data' }))
  await waitFor(() => expect(office.requests('GET /api/analytics/audit')).toHaveLength(3))
  expect(office.requests('GET /api/analytics/audit').map(({ query }) => query.get('entity'))).toEqual([
    'visit',
    'session',
    'audit',
  ])
})

// S8.toast.18, S8.load.03
test('a trail that fails to load shows an error and a button that loads again', async () => {
  const { office, person } = openAdmin('audit')
  office.fail('GET /api/analytics/audit', 403, { error: 'no', code: 'forbidden', request_id: 'r' })
  await person.click(await screen.findByRole('button', { name: 'Load Audit Trail' }))
  await waitFor(() => expect(screen.getAllByText('Failed to load audit trail')).toHaveLength(2))
  expect(screen.queryByText(/^No audit records found/)).toBeNull()
  await person.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(office.requests('GET /api/analytics/audit')).toHaveLength(2))
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

// S2.analytics.07-08, S5.audit.03, S7.api.21-23, S8.toast.19
test('the export omits empty dates from the request and writes today into the file name', async () => {
  const saved = catchDownloads()
  const { office, person } = openAdmin()
  office.answer('GET /api/analytics/export', () => ({}))
  expect(await screen.findByLabelText('Start date')).toBeInTheDocument()
  expect(screen.getByLabelText('End date')).toBeInTheDocument()
  await person.click(screen.getByRole('button', { name: 'Export Visitor Data' }))
  expect(await screen.findByText('Data exported successfully')).toBeInTheDocument()
  expect(office.requests('GET /api/analytics/export')[0]?.query.toString()).toBe('')
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata' }).format(new Date())
  expect(saved).toEqual([`visitors_${today}_${today}.csv`])
})

test('a cancelled export saves nothing', async () => {
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

// S8.toast.20, S8.load.04
test('a failed export shows an error and saves nothing', async () => {
  const saved = catchDownloads()
  const { office, person } = openAdmin()
  office.fail('GET /api/analytics/export')
  await person.click(await screen.findByRole('button', { name: 'Export Visitor Data' }))
  expect(await screen.findByText('Failed to export data')).toBeInTheDocument()
  expect(saved).toEqual([])
})
