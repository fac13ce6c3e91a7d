import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Bodies, Visit } from '@/api/types'
import { dialogOf } from '@/test/dialog-of'
import { userOf, visitOf } from '@/test/fixtures'
import { openOffice } from '@/test/office'
import { openMore } from '@/test/open-more'
import { renderApp } from '@/test/render-app'

function openDesk(visits: Visit[] = []) {
  const office = openOffice({ user: userOf('reception'), visits })
  office.answer('POST /api/visits', () => ({ visit: visitOf(1) }))
  return { office, ...renderApp('/dashboard/receptionist?tab=all') }
}

async function fillIn(person: ReturnType<typeof openDesk>['person']) {
  await person.type(await screen.findByLabelText('Visitor Name'), 'Asha')
  await person.type(screen.getByLabelText('Phone Number'), '9876543210')
  await person.click(screen.getByLabelText('Service Required'))
  await person.click(await screen.findByTitle('ITR Filing'))
  await openMore(person)
}

const receipt = (more: Partial<Bodies['Consent']>): Bodies['Consent'] => ({
  id: 'c1',
  visitId: 'visit-14',
  purpose: 'serve',
  means: 'slip',
  noticeVersion: '2026-11',
  language: 'en',
  givenAt: '2026-11-20T04:30:00.000Z',
  givenBy: 'Meera',
  withdrawnAt: null,
  withdrawnBy: null,
  ...more,
})

test('a registration says that the notice is on the slip; messages are allowed only by a tick', async () => {
  const { office, person } = openDesk()
  await fillIn(person)
  expect(await screen.findByRole('checkbox', { name: 'May message 9876543210' })).not.toBeChecked()
  await person.click(screen.getByRole('button', { name: 'Create Token' }))
  await waitFor(() => expect(office.requests('POST /api/visits')).toHaveLength(1))
  expect(office.requests('POST /api/visits')[0]?.body).toMatchObject({ told_by: 'slip' })
  expect(office.requests('POST /api/visits')[0]?.body).not.toHaveProperty('messages', true)
})

test('what the visitor was told and the tick are sent, and the next visitor has neither', async () => {
  const { office, person } = openDesk()
  await fillIn(person)
  await person.click(await screen.findByLabelText('How the visitor got the notice'))
  await person.click(await screen.findByTitle('Read aloud'))
  await person.click(screen.getByRole('checkbox', { name: 'May message 9876543210' }))
  await person.click(screen.getByRole('button', { name: 'Create Token' }))
  await waitFor(() => expect(office.requests('POST /api/visits')).toHaveLength(1))
  expect(office.requests('POST /api/visits')[0]?.body).toMatchObject({ told_by: 'aloud', messages: true })
  await openMore(person)
  expect(await screen.findByRole('checkbox', { name: 'May message the visitor' })).not.toBeChecked()
  expect(screen.getByTitle('On slip')).toBeInTheDocument()
})

test('a consent is withdrawn from the row of the visit', async () => {
  const { office, person } = openDesk([visitOf(14)])
  let stored = [receipt({}), receipt({ id: 'c2', purpose: 'messages', means: 'aloud' })]
  office.answer('GET /api/visits/visit-14/consents', () => ({ consents: stored }))
  office.answer('POST /api/visits/visit-14/consents', () => {
    const withdrawn = { withdrawnAt: '2026-11-20T05:00:00.000Z', withdrawnBy: 'Anil' }
    stored = stored.map((one) => (one.purpose === 'messages' ? { ...one, ...withdrawn } : one))
    return { consents: stored }
  })
  await person.click(await screen.findByRole('button', { name: 'Actions for T-014' }))
  await person.click(await screen.findByRole('menuitem', { name: 'Consents...' }))
  const dialog = await dialogOf('Consents of T-014')
  const messages = within(await within(dialog).findByRole('region', { name: 'Messages to the phone' }))
  expect(messages.getByText(/Read aloud, 20 Nov 2026, 10:00 AM, noted by Meera/)).toBeInTheDocument()
  await person.click(messages.getByRole('button', { name: 'Withdraw consent: Messages to the phone' }))
  expect(await messages.findByText(/Withdrawn: 20 Nov 2026, 10:30 AM, noted by Anil/)).toBeInTheDocument()
  expect(office.requests('POST /api/visits/visit-14/consents')[0]?.body).toEqual({
    purpose: 'messages',
    given: false,
  })
  await person.click(messages.getByRole('button', { name: 'Visitor agrees: Messages to the phone' }))
  await waitFor(() => expect(office.requests('POST /api/visits/visit-14/consents')).toHaveLength(2))
  expect(office.requests('POST /api/visits/visit-14/consents')[1]?.body).toEqual({
    purpose: 'messages',
    means: 'aloud',
    given: true,
  })
})
