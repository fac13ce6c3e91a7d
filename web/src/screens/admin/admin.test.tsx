import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Service } from '@/api/types'
import { dashboardOf, services, visitOf } from '@/test/fixtures'
import { openAdmin, record } from '@/test/open-admin'

const panel = (name: string) => screen.findByRole('region', { name })

// S2.admin.01-05, S2.route.13, S3.analytics.01-04
test('the admin has four figures, and the five tabs of the specification before Office', async () => {
  openAdmin()
  expect((await screen.findAllByRole('tab')).map((tab) => tab.textContent)).toEqual([
    'Analytics',
    'Visitors',
    'Services',
    'Staff',
    'Audit Trail',
    'Office',
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
  expect(peak).toHaveTextContent(/2:00 PM - 4:00 PM\s*As published/)
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
