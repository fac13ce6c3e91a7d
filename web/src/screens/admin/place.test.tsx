import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { appointmentOf } from '@/test/fixtures'
import { openAdmin } from '@/test/open-admin'

afterEach(() => vi.restoreAllMocks())

const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata' }).format()
const list = () => screen.findByRole('navigation', { name: 'Office' })

/** The admin's page at an address. The requests of the moved contents stay without a response. */
function openAt(tab: string) {
  const opened = openAdmin(tab)
  for (const path of [
    'visits/accuracy',
    'analytics/period',
    'analytics/register',
    'devices',
    'office/voice',
    'lobby/messages',
    'privacy/requests',
    'privacy/notices',
    'privacy/retention',
    'privacy/uses',
  ])
    opened.office.hold(`GET /api/${path}`)
  return opened
}

const chosenTab = () => screen.findByRole('tab', { selected: true })

test.each([
  ['accuracy', '?tab=analytics&view=accuracy', 'Forecast accuracy'],
  ['reports&days=30', '?tab=analytics&days=30&view=reports', 'Reports'],
])('the address of the former tab %s leads to a view of Analytics', async (tab, address, label) => {
  const { router } = openAt(tab)
  expect(await screen.findByRole('radio', { name: label })).toBeChecked()
  expect(await chosenTab()).toHaveTextContent('Analytics')
  expect(router.state.location.search).toBe(address)
})

test.each([
  ['appointments', 'appointments', 'Appointments'],
  ['screens', 'waiting-room', 'Waiting room'],
  ['pages', 'messages', 'Messages'],
  ['messages', 'messages', 'Messages'],
  ['due-dates', 'due-dates', 'Due dates'],
  ['privacy', 'privacy', 'Privacy'],
])('the address of the former tab %s leads to a page of Office', async (tab, page, label) => {
  const { router } = openAt(tab)
  expect(within(await list()).getByRole('link', { current: 'page' })).toHaveTextContent(label)
  expect(await chosenTab()).toHaveTextContent('Office')
  expect(router.state.location.search).toBe(`?tab=office&page=${page}`)
})

test('an address that no tab has opens Analytics of today', async () => {
  openAdmin('constructor&view=none')
  expect(await chosenTab()).toHaveTextContent('Analytics')
  expect(screen.getByRole('radio', { name: 'Today' })).toBeChecked()
  expect(await screen.findByRole('region', { name: 'Average wait time' })).toBeVisible()
})

test('the views of Analytics have addresses, and today is the first', async () => {
  const { person, router } = openAt('analytics')
  const views = await screen.findByRole('radiogroup', { name: 'Analytics' })
  const ofToday = await screen.findByRole('region', { name: 'Average wait time' })
  expect(
    within(views)
      .getAllByRole('radio')
      .map((view) => view.closest('label')?.textContent),
  ).toEqual(['Today', 'Reports', 'Forecast accuracy'])
  await person.click(within(views).getByText('Reports'))
  expect(await screen.findByRole('region', { name: 'Visitor register' })).toBeVisible()
  expect(router.state.location.search).toBe('?tab=analytics&view=reports')
  expect(ofToday).not.toBeVisible()
})

test('the list of Office opens its pages; what was typed on a page stays', async () => {
  const { person, router } = openAt('office')
  const links = within(await list()).getAllByRole('link')
  expect(links.map(({ textContent }) => textContent)).toEqual([
    'Settings',
    'Appointments',
    'Waiting room',
    'Messages',
    'Due dates',
    'Privacy',
  ])
  expect(links[0]).toHaveAttribute('aria-current', 'page')
  await person.click(screen.getByRole('link', { name: 'Privacy' }))
  expect(router.state.location.search).toBe('?tab=office&page=privacy')
  await person.type(await screen.findByLabelText('What happened'), 'A laptop was stolen')
  await person.click(screen.getByRole('link', { name: 'Due dates' }))
  expect(await screen.findByRole('button', { name: 'Add due date' })).toBeVisible()
  await person.click(screen.getByRole('tab', { name: 'Visitors' }))
  await waitFor(() => expect(router.state.location.search).toBe('?tab=visitors'))
  await person.click(screen.getByRole('tab', { name: 'Office' }))
  expect(router.state.location.search).toBe('?tab=office&page=due-dates')
  await person.click(screen.getByRole('link', { name: 'Privacy' }))
  expect(screen.getByLabelText('What happened')).toHaveValue('A laptop was stolen')
})

test('on a phone a select opens the pages of Office', async () => {
  vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
    Object.assign(new EventTarget(), {
      matches: query === '(max-width: 900px)',
      media: query,
      onchange: null,
      addListener: () => undefined,
      removeListener: () => undefined,
    }),
  )
  const { person, router } = openAt('office')
  await person.click(await screen.findByRole('combobox', { name: 'Office' }))
  expect(screen.queryByRole('navigation', { name: 'Office' })).toBeNull()
  await person.click(await screen.findByTitle('Waiting room'))
  expect(await screen.findByRole('region', { name: 'Screens' })).toBeVisible()
  expect(router.state.location.search).toBe('?tab=office&page=waiting-room')
})

test('appointment requests are answered in Office', async () => {
  const request = appointmentOf('r1', { name: 'Leela', preferredDate: today })
  const { office, person } = openAdmin('office&page=appointments&view=requests')
  office.answer('GET /api/appointments', () => ({
    appointments: [request],
    pagination: { page: 1, limit: 20, total: 1, pages: 1 },
  }))
  office.answer('PUT /api/appointments/r1', () => ({ appointment: { ...request, status: 'confirmed' } }))
  const entry = await screen.findByRole('listitem', { name: 'Leela' })
  await person.click(within(entry).getByRole('button', { name: 'Confirm and send: Leela' }))
  await waitFor(() =>
    expect(office.requests('PUT /api/appointments/r1')[0]?.body).toEqual({
      status: 'confirmed',
      tell: true,
      version: 1,
    }),
  )
})
