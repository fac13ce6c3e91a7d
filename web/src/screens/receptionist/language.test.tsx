import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Visit } from '@/api/types'
import kannada from '@/locales/kn/visits.json'
import { dialogOf } from '@/test/dialog-of'
import { forecastOf, queueOf, services, userOf, visitOf } from '@/test/fixtures'
import { openOffice } from '@/test/office'
import { moreLine, openMore } from '@/test/open-more'
import { renderApp } from '@/test/render-app'

const six = ['en', 'hi', 'kn', 'ta', 'te', 'mr']
const office = vi.hoisted(() => ({ brand: 'Lekha Tax', timeZone: 'Asia/Kolkata', languages: [] as string[] }))
vi.mock('@/features/office/use-office', () => ({ useOffice: () => office }))

beforeEach(() => {
  office.languages = six
})

function openDesk(visits: Visit[] = []) {
  const server = openOffice({ user: userOf('reception'), visits })
  server.answer('POST /api/visits', () => ({ visit: visitOf(8) }))
  server.answer('POST /api/visits/lookup', () => {
    const asked = server.requests('POST /api/visits/lookup').at(-1)?.body as { phone: string }
    const visitor = { name: 'Ravi Gowda', language: 'kn', visits: 2, lastVisit: '2026-11-12' }
    return { visitor: asked.phone === '9876543210' ? visitor : null }
  })
  return { server, ...renderApp('/dashboard/receptionist') }
}

type Desk = ReturnType<typeof openDesk>

async function fill({ person }: Desk, phone: string) {
  await person.type(await screen.findByLabelText('Visitor Name'), 'Ravi Gowda')
  await person.type(screen.getByLabelText('Phone Number'), phone)
  await person.click(screen.getByLabelText('Service Required'))
  await person.click(await screen.findByTitle('ITR Filing'))
  await openMore(person)
  await screen.findByRole('combobox', { name: "Visitor's language" })
}

async function submit({ server, person }: Desk) {
  await person.click(screen.getByRole('button', { name: 'Create Token' }))
  await waitFor(() => expect(server.requests('POST /api/visits')).toHaveLength(1))
  return server.requests('POST /api/visits')[0]?.body
}

const field = () => screen.getByRole('combobox', { name: "Visitor's language" })

async function choose({ person }: Desk, language: string) {
  await person.click(field())
  await person.click(await screen.findByText(language, { selector: '.ant-select-item-option-content *' }))
}

test("the office's default language is shown and not sent", async () => {
  const desk = openDesk()
  await fill(desk, '9812345678')
  expect(field().closest('.ant-select')).toHaveTextContent('English')
  expect(await submit(desk)).not.toHaveProperty('language')
})

test('a chosen language is sent with the visit, and the next visitor has the default again', async () => {
  const desk = openDesk()
  await fill(desk, '9812345678')
  await choose(desk, 'தமிழ்')
  expect(await submit(desk)).toMatchObject({ language: 'ta' })
  await waitFor(async () => expect(await moreLine()).toHaveTextContent('More: Normal, English'))
  expect(await moreLine()).toHaveAttribute('aria-expanded', 'false')
})

test('a returning visitor has the language of the last visit, unless another one is chosen', async () => {
  const desk = openDesk()
  await fill(desk, '9876543210')
  await waitFor(() => expect(field().closest('.ant-select')).toHaveTextContent('ಕನ್ನಡ'))
  await desk.person.type(screen.getByLabelText('Phone Number'), '{Backspace}1')
  await waitFor(() => expect(field().closest('.ant-select')).toHaveTextContent('English'))
  await choose(desk, 'हिन्दी')
  await desk.person.type(screen.getByLabelText('Phone Number'), '{Backspace}0')
  await screen.findByText(/has been here 2 times/)
  expect(await submit(desk)).toMatchObject({ language: 'hi' })
})

test('one key selects the next language from any field, and costs no tab stop', async () => {
  const desk = openDesk()
  await fill(desk, '9812345678')
  const phone = screen.getByLabelText('Phone Number')
  await desk.person.click(phone)
  await desk.person.keyboard('{F4}')
  expect(phone).toHaveFocus()
  expect(field().closest('.ant-select')).toHaveTextContent('हिन्दी')
  expect(screen.getByText('हिन्दी', { selector: '[aria-live="polite"] [lang="hi"]' })).toBeInTheDocument()
  expect(field()).toHaveAttribute('aria-keyshortcuts', 'F4')
  expect(await submit(desk)).toMatchObject({ language: 'hi' })
})

test('after the last language the key selects the first one again', async () => {
  const desk = openDesk()
  await screen.findByLabelText('Visitor Name')
  const shown = []
  for (let pressed = 0; pressed < 6; pressed += 1) {
    await desk.person.keyboard('{F4}')
    shown.push((await moreLine()).textContent)
  }
  const names = ['हिन्दी', 'ಕನ್ನಡ', 'தமிழ்', 'తెలుగు', 'मराठी', 'English']
  expect(shown).toEqual(names.map((name) => `More: Normal, ${name}`))
  expect(screen.queryByRole('combobox', { name: "Visitor's language" })).toBeNull()
})

const openHelp = async ({ person }: Desk) => {
  await screen.findByLabelText('Visitor Name')
  act(() => (document.activeElement as HTMLElement).blur())
  await person.keyboard('?')
  return dialogOf('Keyboard shortcuts')
}

test('the key is in the list of shortcuts', async () => {
  const help = await openHelp(openDesk())
  expect(within(help).getByText('F4').closest('div')).toHaveTextContent("F4Visitor's language")
})

test('an office with one language has no such key', async () => {
  office.languages = ['en']
  const help = await openHelp(openDesk())
  expect(within(help).getByText('F2')).toBeInTheDocument()
  expect(within(help).queryByText('F4')).toBeNull()
})

test('the slip names the service in the language of the visitor', async () => {
  const itr = { name: 'ಐಟಿಆರ್ ಸಲ್ಲಿಕೆ', description: '' }
  openOffice({
    user: userOf('reception'),
    visits: [visitOf(8, { language: 'kn' })],
    services: services.map((service) => ({ ...service, texts: { kn: itr } })),
  })
  const { person } = renderApp('/dashboard/receptionist')
  await person.click(await screen.findByRole('button', { name: 'Show T-008 again' }))
  await waitFor(() => expect(document.querySelector('.token-slip')).toHaveTextContent(itr.name))
  expect(screen.getByRole('article', { name: 'Token T-008' })).toHaveTextContent('ITR Filing')
})

test('the papers of a slip that have no translation are marked as English', async () => {
  const missing = [
    { key: 'pan', label: 'PAN card' },
    { key: 'form-16', label: 'Form 16' },
  ]
  const papers = missing.map((paper) => ({
    ...paper,
    required: true,
    labels: paper.key === 'pan' ? { kn: 'ಪ್ಯಾನ್ ಕಾರ್ಡ್' } : {},
  }))
  openOffice({
    user: userOf('reception'),
    visits: [visitOf(8, { language: 'kn', documents: { left: 0, missing } })],
    services: services.map((service) => ({ ...service, documents: papers })),
  })
  const { person } = renderApp('/dashboard/receptionist')
  await person.click(await screen.findByRole('button', { name: 'Show T-008 again' }))
  const line = () => document.querySelector('.token-slip-papers[lang="kn"]')
  await waitFor(() => expect(line()).toHaveTextContent(/ಪ್ಯಾನ್ ಕಾರ್ಡ್, Form 16/))
  expect([...(line()?.querySelectorAll('[lang="en"]') ?? [])].map(({ textContent }) => textContent)).toEqual([
    'Form 16',
  ])
})

test("the slip is in the visitor's language; a visit without one has that of the page", async () => {
  const { person } = openDesk([
    visitOf(8, {
      language: 'kn',
      createdAt: '2026-11-20T05:30:00.000Z',
      queue: queueOf('waiting', { correctedAt: '2026-11-20T05:31:00.000Z', forecast: forecastOf() }),
    }),
    visitOf(9, { language: '' }),
  ])
  await person.click(await screen.findByRole('button', { name: 'Show T-008 again' }))
  const slip = () => document.querySelector('.token-slip')
  await waitFor(() => expect(slip()).toHaveTextContent(kannada.visits.slip.wait))
  expect(slip()).toHaveAttribute('lang', 'kn')
  expect(slip()).toHaveTextContent(kannada.visits.token)
  expect(slip()).toHaveTextContent('20 ನವೆಂ 2026')
  expect(slip()).toHaveTextContent('ಸುಮಾರು 10:40 ರಿಂದ 11:05')
  expect(slip()).toHaveTextContent(kannada.visits.slip.corrected)
  const english = [...(slip()?.querySelectorAll('[lang="en"]') ?? [])].map(({ textContent }) => textContent)
  expect(english).toEqual(['ITR Filing', 'Please wait until your token is called.'])
  await person.click(screen.getByRole('button', { name: 'Show T-009 again' }))
  expect(slip()).toHaveAttribute('lang', 'en')
  expect(slip()).toHaveTextContent('Please wait until your token is called.')
})

test("printing lays the page out as a narrow one: the slip is still in the visitor's language", async () => {
  const all = window.matchMedia.bind(window)
  const width = Object.assign(new EventTarget(), { matches: false })
  vi.stubGlobal('matchMedia', (query: string) => (query === '(max-width: 900px)' ? width : all(query)))
  const { person } = openDesk([visitOf(8, { language: 'kn' })])
  await person.click(await screen.findByRole('button', { name: 'Show T-008 again' }))
  const slip = () => document.querySelector('.token-slip')
  await waitFor(() => expect(slip()).toHaveTextContent(kannada.visits.slip.wait))
  const shown = slip()
  width.matches = true
  act(() => void width.dispatchEvent(new Event('change')))
  expect(slip()).not.toBe(shown)
  expect(slip()).toHaveTextContent(kannada.visits.slip.wait)
  vi.unstubAllGlobals()
})
