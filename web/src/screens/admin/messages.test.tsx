import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import kannada from '@/locales/kn/visitor-pages.json'
import { openAdmin } from '@/test/open-admin'

const office = vi.hoisted(() => ({ brand: 'Lekha Tax', languages: ['en', 'kn'], checkIn: 'confirm' }))
vi.mock('@/features/office/use-office', () => ({ useOffice: () => office }))

const channel = {
  channel: 'sms',
  sent: 12,
  failed: 2,
  unknown: 1,
  dropped: 1,
  waiting: 0,
  visits: 9,
  paused: true,
}

function openTab(costs: object | null = null) {
  const opened = openAdmin('office&page=messages')
  opened.office.answer('GET /api/lobby/messages', () => ({ on: true, channels: [channel], costs }))
  return opened
}

const poster = () => document.querySelector('body > .poster')

test('the poster has the address as a code and says what it is for in every language of the office', async () => {
  const print = vi.spyOn(window, 'print').mockImplementation(() => undefined)
  office.checkIn = 'confirm'
  const { person } = openTab()
  await person.click(await screen.findByRole('button', { name: 'Print the poster' }))
  expect(print).toHaveBeenCalledTimes(1)
  await waitFor(() => expect(poster()).toHaveTextContent(kannada.visitorPages.poster.ask))
  expect(poster()).toHaveTextContent('Lekha Tax')
  expect(poster()).toHaveTextContent('Scan to ask for a token')
  expect(poster()?.querySelector('svg path')?.getAttribute('d')).toBeTruthy()
  expect(screen.getByRole('link', { name: `${location.origin}/q/join` })).toBeVisible()
})

test('an office without self check-in has no poster', async () => {
  office.checkIn = 'off'
  openTab()
  expect(await screen.findByText('Self check-in is off in the office file.')).toBeVisible()
  expect(poster()).toBeNull()
})

test('the messages of the last day are counted by channel', async () => {
  openTab()
  const table = await screen.findByRole('group', { name: 'Messages' })
  const [, row] = within(table).getAllByRole('row')
  expect(row).toHaveTextContent('SMSPaused for a minute after failures1221109')
})

test('what messages cost is shown by month and by day, where a channel has a price', async () => {
  openTab({
    months: [{ period: '2026-11', channel: 'sms', sent: 10_400, paise: 192_400 }],
    days: [{ period: '2026-11-25', channel: 'sms', sent: 3, paise: 55.5 }],
  })
  const [, month] = within(await screen.findByRole('group', { name: 'Cost by month' })).getAllByRole('row')
  expect(month).toHaveTextContent('November 2026SMS10,400₹1,924.00')
  const [, day] = within(screen.getByRole('group', { name: 'Cost by day' })).getAllByRole('row')
  expect(day).toHaveTextContent('25 Nov 2026SMS3₹0.56')
})

test('without a price there is no cost', async () => {
  openTab()
  await screen.findByRole('group', { name: 'Messages' })
  expect(screen.queryByText('Cost of messages')).toBeNull()
})
