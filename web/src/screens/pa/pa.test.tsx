import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { dialogOf } from '@/test/dialog-of'
import { consultantOf, dashboardOf, deskOf, inStatus, lineOf, userOf, visitOf } from '@/test/fixtures'
import { openOffice } from '@/test/office'
import { renderApp } from '@/test/render-app'

const waiting = visitOf(1, {
  name: 'Joseph',
  notes: 'Objection letter received',
  createdAt: new Date(Date.now() - 11 * 60_000).toISOString(),
})

const consultants = [
  consultantOf('zoya', 'Zoya', { specialization: ['Bookkeeping', 'GST'], totalSessions: 4 }),
  consultantOf('nandini', 'Nandini', { currentQueue: 2, totalSessions: 3 }),
  consultantOf('gone', 'Gone', { isActive: false }),
]

function openDesk(visits = [waiting, visitOf(2, { name: 'Imran' }), visitOf(3, { status: 'approved' })]) {
  const office = openOffice({ user: userOf('pa'), visits, consultants, dashboard: dashboardOf() })
  const change = (path: string) => {
    office.answer(`PUT /api/visits/${path}/status`, () => {
      const visit = office.state.visits.find(({ id }) => id === path)
      const body = office.requests(`PUT /api/visits/${path}/status`).at(-1)?.body as {
        status: 'approved' | 'denied'
      }
      const changed = inStatus(visit ?? waiting, body.status)
      office.state.visits = office.state.visits.map((one) => (one.id === path ? changed : one))
      return { visit: changed }
    })
  }
  change('visit-1')
  change('visit-2')
  return { office, ...renderApp('/dashboard/pa') }
}

/** The minutes on the screen do not depend on how long a test takes. */
const stopTheClock = () => vi.useFakeTimers({ toFake: ['Date'] })
afterEach(() => void vi.useRealTimers())

const card = async (name: string) => screen.findByRole('article', { name: new RegExp(name) })

async function choose(person: ReturnType<typeof openDesk>['person'], at: HTMLElement, title: string) {
  await person.click(within(at).getByRole('combobox'))
  await person.click(await screen.findByTitle(title))
}

// S2.pa.01-06, S3.analytics.05
test('the PA has four figures of the day, with the published wait of 22 minutes', async () => {
  openDesk()
  expect(await screen.findByText('Connected')).toBeVisible()
  expect(await screen.findByText('pending approvals')).toHaveTextContent('2 pending approvals')
  const figure = (label: string) => screen.getByText(label, { selector: 'dt' }).nextElementSibling
  await waitFor(() => expect(figure('Total Visitors')).toHaveTextContent(/^12/))
  expect(figure('Pending Approvals')).toHaveTextContent(/^3/)
  expect(figure('In Session')).toHaveTextContent(/^2/)
  expect(figure('Avg Wait Time')).toHaveTextContent(/^22minutes.*14 min/)
})

test('a visit of a desk whose service is gone has the printed name and says so, with both tokens', async () => {
  const offline = { arrivedAt: waiting.createdAt, after: 0, serviceGone: true }
  openDesk([
    visitOf(1, { name: 'Joseph', token: 'A-001', offline, service: { id: 'gone', name: 'Old Filing' } }),
    visitOf(2, { name: 'Imran', tokenAlso: 'A-002' }),
  ])
  const joseph = await card('Joseph')
  expect(joseph).toHaveTextContent('Old Filing')
  expect(await within(joseph).findByText(/was not offered any more when the desk sent/)).toBeVisible()
  const imran = await card('Imran')
  expect(imran).toHaveTextContent('T-002 A-002')
  expect(within(imran).queryByText(/not offered any more/)).toBeNull()
})

// S2.pa.07-08, S2.pa.10-16, S2.pa.19, S2.pa.21-22, S3.pending.02-03
test('only visits in status new have a card, with the fields of the decision', async () => {
  stopTheClock()
  const createdAt = new Date(Date.now() - 11 * 60_000 - 1_000).toISOString()
  openDesk([{ ...waiting, createdAt }, visitOf(2, { name: 'Imran' }), visitOf(3, { status: 'approved' })])
  const joseph = await card('Joseph')
  expect(screen.getAllByRole('article')).toHaveLength(2)
  expect(joseph).toHaveTextContent(
    /T-001.*11 min.*waiting.*Joseph.*new.*ITR Filing.*9876543201.*Objection letter received/,
  )
  expect(within(joseph).getByPlaceholderText('PA Notes')).toBeVisible()
  expect(within(joseph).getByRole('button', { name: 'Approve' })).toBeVisible()
  expect(within(joseph).getByRole('button', { name: 'Deny' })).toBeVisible()
})

// S2.pa.09
test('an empty list shows its text', async () => {
  openDesk([visitOf(3, { status: 'approved' })])
  expect(await screen.findByText('No pending approvals')).toBeVisible()
})

// S2.pa.17-18, S3.consultant.05
test('the select offers active consultants with name and queue, the busy ones below a divider', async () => {
  const ofNandini = { status: 'approved', assignedConsultantId: 'nandini' } as const
  const { person } = openDesk([waiting, visitOf(7, ofNandini), visitOf(8, ofNandini)])
  const joseph = await card('Joseph')
  await person.click(within(joseph).getByRole('combobox'))
  expect(await screen.findByTitle('Zoya (queue 0)')).toBeInTheDocument()
  const busy = screen.getByTitle('Nandini (queue 2)')
  expect(busy).toHaveClass('consultant-divided')
  expect(busy).toHaveTextContent('Busy, free in 60 min')
  expect(screen.queryByTitle(/Gone \(queue/)).not.toBeInTheDocument()
})

// S2.pa.20, S2.pa.23, S3.status.01, S4.transition.06, S8.toast.10
test('Approve requires a consultant on its own card, sends the decision and removes the card', async () => {
  const { office, person } = openDesk()
  const joseph = await card('Joseph')
  const approve = within(joseph).getByRole('button', { name: 'Approve' })
  expect(approve).toBeDisabled()
  await choose(person, joseph, 'Zoya (queue 0)')
  expect(within(await card('Imran')).getByRole('button', { name: 'Approve' })).toBeDisabled()
  await person.type(within(joseph).getByPlaceholderText('PA Notes'), 'bring the notice')
  await person.click(approve)

  expect(await screen.findByText('Visitor approveed successfully')).toBeInTheDocument()
  expect(office.requests('PUT /api/visits/visit-1/status')[0]?.body).toEqual({
    status: 'approved',
    notes: 'bring the notice',
    assigned_consultant_id: 'zoya',
    pa_id: 'pa-user',
  })
  expect(screen.queryByRole('article', { name: /Joseph/ })).not.toBeInTheDocument()
})

// S5.pa.01, S3.status.02, S4.transition.07, S8.toast.11
test('Deny needs no consultant and sends none', async () => {
  const { office, person } = openDesk()
  await person.type(within(await card('Joseph')).getByPlaceholderText('PA Notes'), 'No papers')
  await person.click(within(await card('Joseph')).getByRole('button', { name: 'Deny' }))
  expect(await screen.findByText('Visitor denyed successfully')).toBeInTheDocument()
  expect(office.requests('PUT /api/visits/visit-1/status')[0]?.body).toEqual({
    status: 'denied',
    notes: 'No papers',
  })
  expect(screen.queryByRole('article', { name: /Joseph/ })).not.toBeInTheDocument()
})

test('Deny without a note asks once for the reason, with three ready ones', async () => {
  const { office, person } = openDesk()
  office.fail('PUT /api/visits/visit-1/status')
  await person.click(within(await card('Joseph')).getByRole('button', { name: 'Deny' }))
  const dialog = await dialogOf('Deny T-001')
  const reasons = within(dialog).getAllByRole('radio')
  expect(reasons).toHaveLength(4)
  for (const reason of reasons) expect(reason).not.toBeChecked()
  expect(within(dialog).getByRole('button', { name: 'Deny' })).toBeDisabled()
  await person.click(within(dialog).getByRole('radio', { name: 'Not a service of this office' }))
  await person.click(within(dialog).getByRole('button', { name: 'Deny' }))
  expect(await screen.findByText('Failed to deny visitor')).toBeInTheDocument()
  office.mend('PUT /api/visits/visit-1/status')
  await person.click(within(await card('Joseph')).getByRole('button', { name: 'Deny' }))
  expect(await screen.findByText('Visitor denyed successfully')).toBeInTheDocument()
  const bodies = office.requests('PUT /api/visits/visit-1/status').map(({ body }) => body)
  expect(bodies).toEqual(Array(2).fill({ status: 'denied', notes: 'Not a service of this office' }))
})

test('another reason of a denial is typed', async () => {
  const { office, person } = openDesk()
  await person.click(within(await card('Joseph')).getByRole('button', { name: 'Deny' }))
  const dialog = await dialogOf('Deny T-001')
  await person.click(within(dialog).getByRole('radio', { name: 'Another reason' }))
  await person.click(within(dialog).getByRole('button', { name: 'Deny' }))
  expect(await within(dialog).findByText('Please enter the reason')).toBeInTheDocument()
  await person.type(within(dialog).getByRole('textbox'), 'Closed for audit{Enter}')
  expect(await screen.findByText('Visitor denyed successfully')).toBeInTheDocument()
  expect(office.requests('PUT /api/visits/visit-1/status')[0]?.body).toMatchObject({
    notes: 'Closed for audit',
  })
})

// S2.pa.24
test('while a decision is in flight its card is disabled, others are not', async () => {
  const { office, person } = openDesk()
  const release = office.hold('PUT /api/visits/visit-1/status')
  const joseph = await card('Joseph')
  await choose(person, joseph, 'Zoya (queue 0)')
  await person.click(within(joseph).getByRole('button', { name: 'Approve' }))
  expect(await within(joseph).findByRole('button', { name: 'Approving...' })).toBeDisabled()
  expect(within(await card('Imran')).getByRole('button', { name: 'Deny' })).toBeEnabled()
  release()
  await screen.findByText('Visitor approveed successfully')
})

// S8.toast.12-13
test('a decision that a colleague made first shows the reason and the current list', async () => {
  const { office, person } = openDesk()
  const conflict = { error: 'Visit is already denied', code: 'visit_already_decided', request_id: 'r' }
  office.fail('PUT /api/visits/visit-1/status', 409, conflict)
  office.fail('PUT /api/visits/visit-2/status', 409, conflict)
  const joseph = await card('Joseph')
  await choose(person, joseph, 'Zoya (queue 0)')
  await person.click(within(joseph).getByRole('button', { name: 'Approve' }))
  expect(await screen.findByText('Failed to approve visitor')).toBeInTheDocument()
  expect(screen.getByText('Visit is already denied')).toBeInTheDocument()

  office.state.visits = office.state.visits.filter(({ id }) => id !== 'visit-1')
  await person.type(within(await card('Imran')).getByPlaceholderText('PA Notes'), 'No papers')
  await person.click(within(await card('Imran')).getByRole('button', { name: 'Deny' }))
  expect(await screen.findByText('Failed to deny visitor')).toBeInTheDocument()
  await waitFor(() => expect(screen.queryByRole('article', { name: /Joseph/ })).not.toBeInTheDocument())
})

// S2.pa.25-29, S3.consultant.01
test('the list of consultants shows badge, specializations, queue and sessions of today', async () => {
  openDesk()
  const list = await screen.findByRole('group', { name: 'Available Consultants' })
  expect(screen.getByRole('region', { name: 'Available Consultants' })).toHaveTextContent(
    /^Available Consultants1 of 2/,
  )
  const [zoya, nandini, ...others] = within(list).getAllByRole('listitem')
  expect(zoya).toHaveTextContent(/Zoya.*Available.*Bookkeeping, GST.*Queue 0.*Completed today 4/)
  expect(nandini).toHaveTextContent(/Nandini.*Busy.*General Consultation.*Queue 2.*Completed today 3/)
  expect(others).toHaveLength(0)
})

test('no consultant moves in the list when one becomes busy', async () => {
  const { office } = openDesk()
  const list = await screen.findByRole('group', { name: 'Available Consultants' })
  await screen.findByText('Connected')
  const order = () => within(list).getAllByRole('listitem')
  expect(order()[0]).toHaveTextContent(/Zoya.*Available/)
  office.state.consultants = consultants.map((one) => (one.id === 'zoya' ? { ...one, currentQueue: 1 } : one))
  office.send({ type: 'status_update', data: { entity: 'consultant', entityId: 'zoya' } })
  await waitFor(() => expect(order()[0]).toHaveTextContent(/Zoya.*Busy/))
})

// S4.transition.02, S6.notify.01, S8.live.01
test('a new visitor appears and is announced without a reload', async () => {
  const { office } = openDesk()
  await card('Joseph')
  await screen.findByText('Connected')
  office.state.visits.push(visitOf(9, { name: 'Asha' }))
  office.send({
    type: 'visit_created',
    data: { visitId: 'visit-9', version: 1, token: 'T-009', name: 'Asha', service: 'ITR Filing' },
  })
  expect(await screen.findByText('Token T-009 - Asha (ITR Filing)')).toBeInTheDocument()
  expect(await card('Asha')).toBeVisible()
})

// S8.toast.06, S8.load.02
test("figures that fail to load show an error with the loader's reason below", async () => {
  const office = openOffice({ user: userOf('pa') })
  office.fail('GET /api/analytics/dashboard')
  renderApp('/dashboard/pa')
  expect(await screen.findByText('Failed to load dashboard data')).toBeInTheDocument()
  expect(screen.getByText('Failed to load dashboard statistics')).toBeInTheDocument()
})

// S8.load.01
test('consultants that fail to load show an error in their list', async () => {
  const office = openOffice({ user: userOf('pa') })
  office.fail('GET /api/users/consultants')
  renderApp('/dashboard/pa')
  expect((await screen.findAllByText('Failed to load consultants')).length).toBeGreaterThan(0)
})

test('the matching consultants come first, with their speciality and a running session beside them', async () => {
  stopTheClock()
  const office = openDesk([visitOf(1, { name: 'Joseph', service: { id: 'gst', name: 'GST Registration' } })])
  office.office.state.consultants = [
    consultantOf('anil', 'Anil', { specialization: ['Bookkeeping'] }),
    consultantOf('meena', 'Meena', { specialization: ['GST'], inSession: true }),
    consultantOf('zoya', 'Zoya', { specialization: ['GST Registration'] }),
  ]
  const session = { id: 'v', token: 'T-009', stage: 'in-session', since: new Date().toISOString() } as const
  office.office.state.line = lineOf({ desks: [deskOf('meena', 'Meena', { counter: '2', visit: session })] })
  const joseph = await card('Joseph')
  await office.person.click(within(joseph).getByRole('combobox'))
  const options = (await screen.findAllByTitle(/\(queue 0\)/)).map((option) => option.textContent)
  expect(options).toEqual([
    expect.stringMatching(/^Zoya \(queue 0\).*Suits this service.*GST Registration/),
    expect.stringMatching(/^Meena \(queue 0\)In session 0 min, Desk 2.*Suits this service.*GST/),
    expect.stringMatching(/^Anil \(queue 0\)Bookkeeping/),
  ])
})

test('a busy consultant can be chosen, and the choice is remembered', async () => {
  const { office, person, unmount } = openDesk()
  await choose(person, await card('Joseph'), 'Nandini (queue 2)')
  unmount()
  renderApp('/dashboard/pa')
  const joseph = await card('Joseph')
  await within(joseph).findByTitle('Nandini (queue 2)')
  await person.click(within(joseph).getByRole('button', { name: 'Approve' }))
  await screen.findByText('Visitor approveed successfully')
  expect(office.requests('PUT /api/visits/visit-1/status')[0]?.body).toMatchObject({
    assigned_consultant_id: 'nandini',
  })
  expect(screen.queryByTitle('Gone (queue 0)')).not.toBeInTheDocument()
})

test('the longest wait comes first, and a long wait is also text', async () => {
  stopTheClock()
  const since = (minutes: number) => new Date(Date.now() - minutes * 60_000 - 1_000).toISOString()
  openDesk([
    visitOf(1, { name: 'Short', createdAt: since(3) }),
    visitOf(2, { name: 'Too long', createdAt: since(22) }),
    visitOf(3, { name: 'Long', createdAt: since(11) }),
  ])
  await card('Short')
  const cards = screen.getAllByRole('article').map((one) => one.textContent)
  expect(cards).toEqual([
    expect.stringMatching(/22 minwaiting too long/),
    expect.stringMatching(/11 minwaiting long/),
    expect.stringMatching(/3 minwaiting(?! )/),
  ])
})

test('a row is decided by keyboard only with a consultant, and the select of the next one gets the focus', async () => {
  const { office, person } = openDesk([
    visitOf(1, { name: 'Joseph' }),
    visitOf(2, { name: 'Imran', createdAt: '2026-11-20T05:40:00.000Z' }),
  ])
  await card('Joseph')
  await person.keyboard('{F2}')
  expect(within(await card('Joseph')).getByRole('combobox')).toHaveFocus()
  await person.keyboard('{Control>}{Enter}{/Control}')
  expect(office.requests('PUT /api/visits/visit-1/status')).toHaveLength(0)
  await person.keyboard('{Shift>}{F9}{/Shift}')
  const dialog = await dialogOf('Deny T-001')
  await person.keyboard('{Enter}')
  expect(office.requests('PUT /api/visits/visit-1/status')).toHaveLength(0)
  await person.keyboard('4')
  expect(within(dialog).getByRole('radio', { name: 'Another reason' })).toBeChecked()
  await person.click(within(dialog).getByRole('radio', { name: 'Another reason' }))
  await person.keyboard('3{Enter}')
  await screen.findByText('Visitor denyed successfully')
  expect(office.requests('PUT /api/visits/visit-1/status')[0]?.body).toMatchObject({
    status: 'denied',
    notes: 'Please come another day',
  })
  await waitFor(async () => expect(within(await card('Imran')).getByRole('combobox')).toHaveFocus())
  await choose(person, await card('Imran'), 'Zoya (queue 0)')
  await person.keyboard('{Control>}{Enter}{/Control}')
  await screen.findByText('Visitor approveed successfully')
  expect(office.requests('PUT /api/visits/visit-2/status')[0]?.body).toMatchObject({
    status: 'approved',
    assigned_consultant_id: 'zoya',
  })
})
