import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import kannada from '@/locales/kn/visitor-link.json'
import { userOf, visitOf } from '@/test/fixtures'
import { openOffice } from '@/test/office'
import { renderApp } from '@/test/render-app'

const link = (code: string) => ({
  link: { url: `HTTPS://LEKHA.EXAMPLE/Q/${code}`, opens: 0, told: [], expires: '2026-11-20T15:30:00.000Z' },
})

const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata' }).format(new Date())

function openDesk() {
  const office = openOffice({
    user: userOf('reception'),
    visits: [visitOf(8, { day: today, language: 'kn' })],
  })
  return { office, ...renderApp('/dashboard/receptionist') }
}

const slip = () => document.querySelector('.token-slip')
const drawn = (within: Element | null) =>
  within?.querySelector('svg[viewBox="0 0 37 37"] path')?.getAttribute('d')

test('the slip has the code of the visitor page and says what it is for in the language of the visitor', async () => {
  const { person } = openDesk()
  await person.click(await screen.findByRole('button', { name: 'Show T-008 again' }))
  await waitFor(() => expect(slip()?.querySelector('svg')).toHaveAttribute('viewBox', '0 0 37 37'))
  await waitFor(() => expect(slip()).toHaveTextContent(kannada.visitorLink.scan))
})

test('a slip is printed at once when there is no link, and without a code that does not come', async () => {
  const print = vi.spyOn(window, 'print').mockImplementation(() => undefined)
  const { office, person } = openDesk()
  office.fail('GET /api/lobby/visits/visit-8/link', 404)
  await person.click(await screen.findByRole('button', { name: 'Show T-008 again' }))
  await waitFor(() => expect(document.querySelector('[data-slip-code]')).toBeInTheDocument())
  await person.keyboard('{F9}')
  await waitFor(() => expect(print).toHaveBeenCalledTimes(1))
  expect(slip()?.querySelector('svg')).toBeNull()
})

test('a slip waits a moment for its code', async () => {
  const print = vi.spyOn(window, 'print').mockImplementation(() => undefined)
  const { office, person } = openDesk()
  const release = office.hold('GET /api/lobby/visits/visit-8/link')
  await person.click(await screen.findByRole('button', { name: 'Show T-008 again' }))
  // The slip's clock stands still, so only the code ends the wait.
  vi.spyOn(performance, 'now').mockReturnValue(performance.now())
  await person.keyboard('{F9}')
  await new Promise((later) => setTimeout(later, 300))
  expect(print).not.toHaveBeenCalled()
  release()
  await waitFor(() => expect(print).toHaveBeenCalledTimes(1))
  expect(drawn(slip())).toBeTruthy()
})

test('after a lost slip another code is made, on the screen and on the slip', async () => {
  const { office, person } = openDesk()
  office.answer('GET /api/lobby/visits/{id}/link', () => link('7KM3XQ0F2ZB9C4T8WJ1D'))
  office.answer('POST /api/lobby/visits/{id}/link', () => link('9ZZ3XQ0F2ZB9C4T8WJ1D'))
  await person.click(await screen.findByRole('button', { name: 'Show T-008 again' }))
  await waitFor(() => expect(drawn(slip())).toBeTruthy())
  const before = drawn(slip())
  await person.click(screen.getByRole('button', { name: 'Actions for T-008' }))
  await person.click(await screen.findByRole('menuitem', { name: "Visitor's page..." }))
  const dialog = await screen.findByRole('dialog', { name: "Visitor's page of T-008" })
  expect(await within(dialog).findByRole('img', { name: "Code of the visitor's page" })).toBeInTheDocument()
  await person.click(within(dialog).getByRole('button', { name: 'Make another code' }))
  await waitFor(() =>
    expect(within(dialog).getByRole('status')).toHaveTextContent(
      'This is another code. The one before has ended.',
    ),
  )
  expect(drawn(dialog)).not.toBe(before)
  expect(drawn(slip())).toBe(drawn(dialog))
})

test('the dialog says how often the page was opened and what the visitor was told', async () => {
  const { office, person } = openDesk()
  const at = '2026-11-20T05:30:00.000Z'
  office.answer('GET /api/lobby/visits/{id}/link', () => ({
    link: {
      ...link('7KM3XQ0F2ZB9C4T8WJ1D').link,
      opens: 2,
      told: [
        { channel: 'push', kind: 'near', state: 'sent', why: '', at },
        { channel: 'sms', kind: 'called', state: 'failed', why: 'unknown', at },
      ],
    },
  }))
  await person.click(await screen.findByRole('button', { name: 'Actions for T-008' }))
  await person.click(await screen.findByRole('menuitem', { name: "Visitor's page..." }))
  const told = await screen.findByRole('region', { name: 'What the visitor was told' })
  expect(told).toHaveTextContent('The page was opened 2 times')
  expect(
    within(told)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual([
    "11:00 AM: please come, on the phone's screen: sent",
    '11:00 AM: called now, SMS: not sent (it may have arrived)',
  ])
})
