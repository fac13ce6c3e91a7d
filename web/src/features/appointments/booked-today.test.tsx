import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { StaffAppointment } from '@/api/types'
import { userOf } from '@/test/fixtures'
import { openOffice } from '@/test/office'
import { renderPart } from '@/test/render-part'
import { BookedToday } from './booked-today'

const booked = (
  id: string,
  preferredTime: string,
  more: Partial<StaffAppointment> = {},
): StaffAppointment => ({
  id,
  name: `Visitor ${id}`,
  phone: '',
  email: '',
  service: 'ITR Filing',
  preferredDate: '2026-11-20',
  preferredTime,
  message: '',
  status: 'confirmed',
  createdAt: '2026-11-18T06:00:00.000Z',
  serviceId: 'itr',
  consultant: { id: 'consultant-user', name: 'Nandini' },
  language: 'en',
  messages: false,
  source: 'page',
  sequence: 0,
  version: 1,
  visitId: null,
  endedAt: null,
  needsTime: false,
  undo: null,
  ...more,
})

function serve(...appointments: StaffAppointment[]) {
  const office = openOffice({ user: userOf('consultant') })
  const day = { date: '2026-11-20', open: true, name: '', spans: [], slots: [] }
  office.answer('GET /api/appointments/day', () => ({ day: { ...day, appointments } }))
  return office
}

test('the appointments of today are listed by time, without those that were cancelled or declined', async () => {
  const office = serve(
    booked('1', '09:00', { status: 'arrived' }),
    booked('2', '10:00', { status: 'cancelled' }),
    booked('3', '11:00', { status: 'declined' }),
    booked('4', '14:00'),
  )
  renderPart(<BookedToday />)
  const panel = within(await screen.findByRole('region', { name: 'Booked today' }))
  expect(panel.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    '9:00 AMVisitor 1ITR FilingArrived',
    '2:00 PMVisitor 4ITR FilingConfirmed',
  ])
  expect(panel.queryByRole('button')).toBeNull()
  expect(office.requests('GET /api/appointments/day')[0]?.query.get('date')).toMatch(/^\d{4}-\d\d-\d\d$/)
})

test('without appointments today, nothing is shown', async () => {
  const office = serve(booked('1', '09:00', { status: 'cancelled' }))
  const { container } = renderPart(<BookedToday />)
  await expect.poll(() => office.requests('GET /api/appointments/day').length).toBe(1)
  expect(within(container).queryByRole('region')).toBeNull()
})

test('appointments that could not be loaded are loaded again by a button', async () => {
  const office = serve(booked('1', '09:00'))
  office.fail('GET /api/appointments/day', 403, { error: 'x', code: 'forbidden' })
  const { person } = renderPart(<BookedToday />)
  expect(await screen.findByText("Failed to load today's appointments")).toBeVisible()
  office.mend('GET /api/appointments/day')
  await person.click(screen.getByRole('button', { name: /again/i }))
  expect(await screen.findByText('Visitor 1')).toBeVisible()
})
