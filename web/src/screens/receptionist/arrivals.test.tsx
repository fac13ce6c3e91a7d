import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Arrival, Visit } from '@/api/types'
import { queueOf, userOf, visitOf } from '@/test/fixtures'
import { liveThrough } from '@/test/life'
import { openOffice } from '@/test/office'
import { renderApp } from '@/test/render-app'

const arrival = (more: Partial<Arrival> = {}): Arrival => ({
  id: 'a1',
  name: 'Asha Rao',
  phone: '98******10',
  service: { id: 's1', name: 'ITR Filing' },
  language: 'kn',
  messages: true,
  createdAt: '2026-11-20T05:30:00.000Z',
  ...more,
})

const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata' }).format(new Date())

function openDesk(arrivals: Arrival[], visits: Visit[] = []) {
  const office = openOffice({ user: userOf('reception'), visits })
  liveThrough(office, visits)
  const door = { arrivals, returns: [] as { visitId: string; token: string; at: string }[] }
  office.answer('GET /api/lobby/arrivals', () => ({ ...door }))
  const answered = (id: string, visit: Visit | null) =>
    office.answer(`PUT /api/lobby/arrivals/${id}`, () => {
      door.arrivals = door.arrivals.filter((one) => one.id !== id)
      return { arrival: { id, state: 'accepted', visitId: visit?.id ?? null }, visit }
    })
  return { office, door, answered, ...renderApp('/dashboard/receptionist') }
}

const strip = () => screen.findByRole('region', { name: 'Needs attention' })
const gone = () => waitFor(() => expect(screen.queryByRole('region', { name: 'Needs attention' })).toBeNull())

test('a visitor at the door is accepted with Enter and has the ticket and the slip', async () => {
  const second = arrival({ id: 'a2', name: 'Bilal', createdAt: '2026-11-20T05:31:00.000Z' })
  const { office, person, answered } = openDesk([second, arrival()])
  answered('a1', visitOf(8, { name: 'Asha Rao', day: today }))
  const line = await strip()
  expect(line).toHaveTextContent('At the door: Asha Rao, ITR Filing')
  await person.keyboard('{Shift>}{F2}{/Shift}')
  expect(within(line).getByRole('button', { name: 'Accept Asha Rao' })).toHaveFocus()
  await person.keyboard('{Enter}')
  expect(await screen.findByRole('article', { name: 'Token T-008' })).toBeVisible()
  await waitFor(() => expect(document.querySelector('.token-slip')).toHaveTextContent('T-008'))
  expect(office.requests('PUT /api/lobby/arrivals/a1')[0]?.body).toEqual({ state: 'accepted' })
  await waitFor(() => expect(line).not.toHaveTextContent('Asha Rao'))
  expect(line).toHaveTextContent('At the door: Bilal, ITR Filing')
})

test('the sheet has the phone and the language of a visitor at the door, who can be refused there', async () => {
  const { office, person, answered } = openDesk([arrival()])
  answered('a1', null)
  await person.click(within(await strip()).getByRole('button', { name: /^At the door/ }))
  const sheet = await screen.findByRole('dialog', { name: 'Needs attention' })
  expect(sheet).toHaveTextContent('98******10, ಕನ್ನಡ, Messages allowed')
  await person.click(within(sheet).getByRole('button', { name: 'Refuse Asha Rao' }))
  expect(await screen.findByText('The request was refused')).toBeInTheDocument()
  expect(office.requests('PUT /api/lobby/arrivals/a1')[0]?.body).toEqual({ state: 'refused' })
  expect(await within(sheet).findByText('Nothing needs attention now')).toBeVisible()
  await gone()
})

test('a request that a colleague has answered says so and goes away', async () => {
  const { office, person, door } = openDesk([arrival()])
  office.fail('PUT /api/lobby/arrivals/a1', 412, {
    error: 'Someone changed this record. Please look at it again.',
    code: 'stale_version',
    request_id: 'r',
  })
  const accept = within(await strip()).getByRole('button', { name: 'Accept Asha Rao' })
  door.arrivals = []
  await person.click(accept)
  expect(await screen.findByText('The request of Asha Rao was not answered')).toBeInTheDocument()
  await gone()
})

test('a visitor who asks by phone appears while the screen is open, and is announced', async () => {
  const { office, door } = openDesk([arrival()])
  expect(await strip()).toHaveTextContent('Asha Rao')
  await screen.findByText('Connected')
  door.arrivals = [arrival(), arrival({ id: 'a2', name: 'Bilal' })]
  office.send({ type: 'status_update', data: { entity: 'arrival', entityId: 'a2' } })
  await waitFor(async () => expect(await strip()).toHaveTextContent('Bilal'))
  const said = screen.getAllByRole('status').map(({ textContent }) => textContent)
  expect(said).toContain('At the door: Bilal, ITR Filing')
  expect(said).not.toContain('At the door: Asha Rao, ITR Filing')
})

test('a visitor who says to be back is put back in line with one button', async () => {
  const missed = visitOf(14, { day: today, status: 'approved', queue: queueOf('missed') })
  const { office, person, door } = openDesk([], [missed, visitOf(15, { day: today })])
  await screen.findByText('Connected')
  const at = '2026-11-20T05:30:00.000Z'
  door.returns = [
    { visitId: 'visit-14', token: 'T-014', at },
    { visitId: 'visit-15', token: 'T-015', at },
  ]
  office.send({ type: 'status_update', data: { entity: 'link', entityId: 'visit-14' } })
  const line = await strip()
  expect(line).toHaveTextContent('T-014 says: I am back')
  expect(line).not.toHaveTextContent('T-015')
  await person.click(within(line).getByRole('button', { name: 'Put T-014 back in line' }))
  await waitFor(() => expect(office.requests('POST /api/visits/visit-14/back')).toHaveLength(1))
  await waitFor(() => expect(screen.queryByText('T-014 says: I am back')).toBeNull())
})

test('a door that cannot be read does not hide an unanswered call', async () => {
  const office = openOffice({ user: userOf('reception') })
  office.fail('GET /api/lobby/arrivals')
  office.answer('GET /api/visits/attention', () => ({
    attention: [
      {
        id: 'n1',
        kind: 'call_unanswered',
        since: '2026-11-20T05:30:00.000Z',
        visit: { id: 'v', token: 'T-010', name: 'Joseph', service: 'ITR', stage: 'called', version: 3 },
        values: { calls: 1 },
        actions: ['recall'],
      },
    ],
    nextAt: null,
  }))
  renderApp('/dashboard/receptionist')
  expect(await strip()).toHaveTextContent(/T-010 has not come, \d+:\d\d/)
})
