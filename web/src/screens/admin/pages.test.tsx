import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import kannada from '@/locales/kn/visitor-pages.json'
import { openAdmin } from '@/test/open-admin'

const office = vi.hoisted(() => ({ brand: 'Lekha Tax', languages: ['en', 'kn'], checkIn: 'confirm' }))
vi.mock('@/features/office/use-office', () => ({ useOffice: () => office }))

const poster = () => document.querySelector('body > .poster')

test('the poster has the address as a code and says what it is for in every language of the office', async () => {
  const print = vi.spyOn(window, 'print').mockImplementation(() => undefined)
  office.checkIn = 'confirm'
  const { person } = openAdmin('pages')
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
  openAdmin('pages')
  expect(await screen.findByText('Self check-in is off in the office file.')).toBeVisible()
  expect(poster()).toBeNull()
})
