import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { CalendarFeed } from '@/api/types'
import { userOf } from '@/test/fixtures'
import { openOffice } from '@/test/office'
import { renderPart } from '@/test/render-part'
import { OfficeCalendars, OwnCalendars } from './calendars'

const zoya = { id: 'zoya', name: 'Zoya' }
const ofOffice: CalendarFeed = {
  id: 'c1',
  consultant: null,
  createdAt: '2026-11-19T04:42:00.000Z',
  readAt: '2026-11-20T05:00:00.000Z',
}
const ofZoya: CalendarFeed = {
  id: 'c2',
  consultant: zoya,
  createdAt: '2026-11-20T04:42:00.000Z',
  readAt: null,
}
const url = 'https://lekha.example/api/calendar/7KM3XQ0F2ZB9C4T8WJ1D.ics'

function serve(...calendars: CalendarFeed[]) {
  const office = openOffice({ user: userOf('admin') })
  const list = (rows: CalendarFeed[]) => office.answer('GET /api/calendars', () => ({ calendars: rows }))
  list(calendars)
  return { office, list }
}

const row = (name: string) => screen.findByRole('row', { name: new RegExp(`^${name}`) })

test('each address has its owner, its age and its last reading', async () => {
  serve(ofOffice, ofZoya)
  renderPart(<OfficeCalendars consultants={[zoya]} />)
  expect(await row('The office')).toHaveTextContent('19 Nov 2026, 10:12 AM20 Nov 2026, 10:30 AM')
  expect(await row('Zoya')).toHaveTextContent('20 Nov 2026, 10:12 AMNot yet')
})

test('a new address of a consultant is shown once, to be copied or opened by a calendar', async () => {
  const { office, list } = serve(ofOffice)
  const { person } = renderPart(<OfficeCalendars consultants={[zoya]} />)
  office.answer('POST /api/calendars', () => {
    list([ofOffice, ofZoya])
    return { calendar: { ...ofZoya, url } }
  })
  const panel = within(await screen.findByRole('region', { name: 'Calendar address' }))
  await person.click(panel.getByRole('combobox', { name: 'Calendar of' }))
  await person.click(await screen.findByTitle('Zoya'))
  await person.click(panel.getByRole('button', { name: 'Make an address' }))

  expect(await panel.findByText('It is shown once. Copy it now.')).toBeVisible()
  expect(office.requests('POST /api/calendars')[0]?.body).toEqual({ consultant_id: 'zoya' })
  expect(panel.getByDisplayValue(url)).toHaveFocus()
  const webcal = 'webcal://lekha.example/api/calendar/7KM3XQ0F2ZB9C4T8WJ1D.ics'
  expect(panel.getByRole('link', { name: 'Add to a calendar' })).toHaveAttribute('href', webcal)
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  await person.click(panel.getByRole('button', { name: 'Copy link' }))
  await waitFor(() => expect(writeText).toHaveBeenCalledWith(url))
  expect(await row('Zoya')).toBeVisible()

  await person.click(panel.getByRole('button', { name: 'Done' }))
  expect(panel.queryByDisplayValue(url)).toBeNull()
})

test('an address is revoked after a question', async () => {
  const { office, list } = serve(ofOffice)
  const { person } = renderPart(<OfficeCalendars consultants={[]} />)
  office.answer('DELETE /api/calendars/c1', () => {
    list([])
    return null
  })
  await person.click(await screen.findByRole('button', { name: 'Revoke: The office, 19 Nov 2026' }))
  const question = await screen.findByText('Revoke this address?')
  expect(office.requests('DELETE /api/calendars/c1')).toHaveLength(0)
  const popover = question.closest<HTMLElement>('.ant-popover') ?? document.body
  await person.click(within(popover).getByRole('button', { name: 'Revoke' }))
  expect(await screen.findByText('No addresses yet')).toBeVisible()
  expect(office.requests('DELETE /api/calendars/c1')).toHaveLength(1)
})

test('a consultant makes an address of the own calendar only', async () => {
  const { office } = serve()
  const { person } = renderPart(<OwnCalendars consultant="zoya" />)
  office.answer('POST /api/calendars', () => ({ calendar: { ...ofZoya, url } }))
  expect(screen.queryByRole('combobox')).toBeNull()
  await person.click(await screen.findByRole('button', { name: 'Make an address' }))
  expect(await screen.findByDisplayValue(url)).toBeVisible()
  expect(office.requests('POST /api/calendars')[0]?.body).toEqual({ consultant_id: 'zoya' })
})

test('addresses that could not be loaded are loaded again by a button', async () => {
  const { office } = serve(ofOffice)
  office.fail('GET /api/calendars', 403, { error: 'x', code: 'forbidden' })
  const { person } = renderPart(<OfficeCalendars consultants={[]} />)
  expect(await screen.findByText('Failed to load the calendar addresses')).toBeVisible()
  office.mend('GET /api/calendars')
  await person.click(screen.getByRole('button', { name: /again/i }))
  expect(await row('The office')).toBeVisible()
})
