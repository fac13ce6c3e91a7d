import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { keys } from '@/storage'
import { lineOf, placeOf, queueOf, userOf, visitOf } from '@/test/fixtures'
import { openOffice } from '@/test/office'
import { moreLine, openMore } from '@/test/open-more'
import { renderApp } from '@/test/render-app'

const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata' }).format(new Date())

function openDesk(visits = [visitOf(1, { day: today })], line = lineOf({})) {
  const office = openOffice({ user: userOf('reception'), visits, line })
  office.answer('POST /api/visits', () => ({ visit: visitOf(8) }))
  return { office, ...renderApp('/dashboard/receptionist') }
}

type Person = ReturnType<typeof openDesk>['person']

async function fill(person: Person, service = 'ITR Filing') {
  await person.type(await screen.findByLabelText('Visitor Name'), 'Asha')
  await person.type(screen.getByLabelText('Phone Number'), '9812345678')
  await person.click(screen.getByLabelText('Service Required'))
  await person.click(await screen.findByTitle(service))
}

const choose = async (person: Person, field: string, option: string) => {
  await person.click(await screen.findByLabelText(field))
  await person.click(await screen.findByText(option, { selector: '.ant-select-item-option-content *' }))
}

test('the folded fields are sent, and stay folded for the next visitor', async () => {
  const { office, person } = openDesk()
  await fill(person)
  expect(screen.queryByLabelText('Priority')).toBeNull()
  await openMore(person)
  await choose(person, 'Priority', 'Deadline today')
  expect(await moreLine()).toHaveTextContent('More: Deadline today, English')
  await person.click(screen.getByRole('button', { name: 'Create Token' }))
  await waitFor(() => expect(office.requests('POST /api/visits')).toHaveLength(1))
  expect(office.requests('POST /api/visits')[0]?.body).toMatchObject({ class: 'deadline' })
  await waitFor(async () => expect(await moreLine()).toHaveTextContent('More: Normal, English'))
  expect(await moreLine()).toHaveAttribute('aria-expanded', 'false')
})

test('they open by themselves for a service for which this person used them', async () => {
  const { person } = openDesk()
  await fill(person)
  await openMore(person)
  await choose(person, 'Priority', 'Priority')
  await person.click(screen.getByRole('button', { name: 'Create Token' }))
  await waitFor(() => expect(screen.getByLabelText('Visitor Name')).toHaveValue(''))
  await fill(person, 'GST Registration')
  expect(await moreLine()).toHaveAttribute('aria-expanded', 'false')
  await person.click(screen.getByLabelText('Service Required'))
  await person.click(await screen.findByTitle('ITR Filing'))
  expect(await moreLine()).toHaveAttribute('aria-expanded', 'true')
  const uses = JSON.parse(localStorage.getItem(keys.more) ?? '{}') as object
  expect(Object.values(uses)).toEqual([[true]])
})

test('a number that has a token today names its visitor, with the ticket, the slip and its cancellation', async () => {
  const print = vi.spyOn(window, 'print').mockReturnValue()
  const waiting = visitOf(3, { day: today, name: 'Asha', phone: '9812345678', status: 'approved' })
  const over = visitOf(2, { day: today, name: 'Ravi', phone: '9812345678', queue: queueOf('left') })
  const { office, person } = openDesk([over, waiting], lineOf({ line: [placeOf(6, 3)] }))
  office.answer('POST /api/visits/visit-3/cancel', () => ({ visit: { ...waiting, version: 2 } }))
  await person.type(await screen.findByLabelText('Phone Number'), '9812345678')
  const place = await screen.findByText('6', { selector: '.same-number [aria-live="off"]' })
  expect(place.parentElement).toHaveTextContent('T-003 of Asha is waiting, no. 6')
  expect(screen.getByText('T-002 of Ravi is over')).toBeVisible()
  await person.click(screen.getByRole('button', { name: 'Show T-003' }))
  expect(await screen.findByRole('article', { name: 'Token T-003' })).toBeVisible()
  await person.click(screen.getByRole('button', { name: 'Print again: T-002' }))
  expect(await screen.findByRole('article', { name: 'Token T-002' })).toBeVisible()
  await waitFor(() => expect(print).toHaveBeenCalledOnce())
  expect(screen.queryByRole('button', { name: 'More for T-002' })).toBeNull()
  await person.click(screen.getByRole('button', { name: 'More for T-003' }))
  await person.click(await screen.findByRole('menuitem', { name: /^Cancel T-003/ }))
  await waitFor(() => expect(office.requests('POST /api/visits/visit-3/cancel')).toHaveLength(1))
  await person.click(screen.getByRole('button', { name: 'Register another person' }))
  expect(screen.queryByText(/^T-003 of Asha/)).toBeNull()
  expect(screen.getByLabelText('Visitor Name')).toHaveFocus()
})

test('a number of which another person is registered is known again for the next one', async () => {
  const { person } = openDesk([visitOf(3, { day: today, name: 'Ravi', phone: '9812345678' })])
  await fill(person)
  await person.click(await screen.findByRole('button', { name: 'Register another person' }))
  expect(screen.queryByText('T-003 of Ravi waits for approval')).toBeNull()
  await person.click(screen.getByRole('button', { name: 'Create Token' }))
  await waitFor(() => expect(screen.getByLabelText('Phone Number')).toHaveValue(''))
  await person.type(screen.getByLabelText('Phone Number'), '9812345678')
  expect(await screen.findByText('T-003 of Ravi waits for approval')).toBeVisible()
})
