import { longDay } from '@/features/appointments/long-day'
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { MemoryRouter, Route, Routes } from 'react-router'
import office from 'virtual:office'
import { beforeEach, expect, test, vi } from 'vitest'
import { translationIn } from '@/test/catalogues'
import { server } from '@/test/server'
import { Landing } from './landing'
import { eventually } from '@/test/eventually'

const answer = (document: unknown) => http.get('/api/office', () => HttpResponse.json(document as object))

function open() {
  render(
    <MemoryRouter>
      <Routes>
        <Route path="/" element={<Landing />} />
        <Route path="/login" element={<h1>sign-in screen</h1>} />
        <Route path="/dashboard" element={<h1>dashboard</h1>} />
      </Routes>
    </MemoryRouter>,
  )
  return userEvent.setup()
}

/** A Monday one to two weeks ahead. */
const monday = new Date(Date.now() + (7 + ((8 - new Date().getUTCDay()) % 7)) * 86_400_000)
  .toISOString()
  .slice(0, 10)

async function submitRequest(user: ReturnType<typeof userEvent.setup>) {
  await user.type(screen.getByLabelText('Name'), 'Asha Rao')
  await user.type(screen.getByLabelText('Phone'), '9876543210')
  await user.type(screen.getByLabelText('Email'), 'asha@example.in')
  await user.selectOptions(screen.getByLabelText('Service'), 'GST Registration')
  await user.type(screen.getByLabelText('Preferred Date'), monday)
  await user.click(screen.getByRole('radio', { name: '11:00' }))
  await user.click(screen.getByRole('button', { name: 'Request Appointment' }))
}

const header = () => within(screen.getByRole('banner'))
const footer = () => within(screen.getByRole('contentinfo'))
const section = (title: string) => {
  const found = screen.getByRole('heading', { name: title }).closest('section')
  if (!found) throw new Error(`${title} is not the title of a section`)
  return within(found)
}

beforeEach(() => {
  server.use(
    answer(office),
    http.get('/api/appointments/slots', () => HttpResponse.error()),
  )
})

// S1.public.01: the office document is the only request, and it is sent without a session.
// S1.public.01, S1.public.03
test('the page opens without a session and shows what the office offers', async () => {
  const calls: Request[] = []
  server.events.on('request:start', ({ request }) => void calls.push(request))
  open()
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(
    'Bring your papers. Leave with answers.',
  )
  expect(screen.getByText(/^Tax, compliance and advisory services/)).toBeVisible()
  await eventually(() => expect(calls.map((call) => new URL(call.url).pathname)).toEqual(['/api/office']))
  expect(calls[0]?.headers.has('Authorization')).toBe(false)
  server.events.removeAllListeners()
})

// S2.landing.01-03
test('the header shows brand, area and phone', () => {
  open()
  expect(header().getByText('Lekha Tax & Advisory')).toBeVisible()
  expect(header().getByText('Jayanagar 4th Block, Bengaluru')).toBeVisible()
  expect(header().getByRole('link', { name: '080 0000 0142' })).toHaveAttribute('href', 'tel:08000000142')
})

// S2.landing.04
test('Staff Login goes to the sign-in screen', async () => {
  await open().click(screen.getByRole('link', { name: 'Staff Login' }))
  expect(await screen.findByRole('heading', { name: 'sign-in screen' })).toBeVisible()
})

// S2.landing.05
test('Book a Consultation links to the appointment form on this page', () => {
  open()
  const target = screen.getByRole('link', { name: 'Book a Consultation' }).getAttribute('href')
  expect(target).toBe('#book')
  expect(document.querySelector(String(target))).toContainElement(screen.getByLabelText('Preferred Date'))
})

// S2.landing.06
test('Walk-In Welcome goes to the dashboard', async () => {
  await open().click(screen.getByRole('link', { name: 'Walk-In Welcome' }))
  expect(await screen.findByRole('heading', { name: 'dashboard' })).toBeVisible()
})

// S1.claim.01-03
test('the claims are shown', () => {
  open()
  const claims = screen.getAllByRole('definition').slice(0, 3)
  expect(claims.map((claim) => claim.textContent)).toEqual(['500+', '15+', '24/7'])
  expect(claims.map((claim) => claim.previousSibling?.textContent)).toEqual(['clients', 'years', 'support'])
})

// S2.landing.07, S2.appt.04
test('the services are listed with their minutes and offered in the form', () => {
  open()
  const entries = section('Services').getAllByRole('listitem')
  expect(entries).toHaveLength(11)
  expect(entries[1]).toHaveTextContent('GST Registration')
  expect(entries[1]).toHaveTextContent('45 minutes')
  const options = within(screen.getByLabelText('Service')).getAllByRole('option')
  expect(options.slice(1).map((option) => option.textContent)).toEqual(
    office.services.map((service) => service.name),
  )
})

// S2.landing.08-09
test('the reasons and the certifications are shown', () => {
  open()
  const why = section('Why choose us')
  for (const reason of office.whyUs) expect(why.getByRole('heading', { name: reason.title })).toBeVisible()
  for (const certification of office.certifications)
    expect(why.getByRole('img', { name: certification })).toBeVisible()
})

test('they are in the language of the page; those without a translation are marked as English', async () => {
  vi.stubGlobal('translation', translationIn('hi'))
  vi.resetModules()
  const { WhyUs } = await import('./why-us')
  const whyUs = office.whyUs.map(({ title, text, texts = {} }, index) =>
    index === 0 ? { title, text, texts } : { title, text },
  )
  const certificationTexts = { hi: { 'Company Secretaries': 'कंपनी सचिव' } }
  render(<WhyUs office={{ ...office, whyUs, certificationTexts }} />)
  const heads = screen.getAllByRole('heading', { level: 3 })
  expect(heads[0]).toHaveTextContent(office.whyUs[0]?.texts?.hi?.title ?? 'no translation')
  expect(heads[0]?.querySelector('[lang="en"]')).toBeNull()
  expect(heads[1]?.querySelector('[lang="en"]')).toHaveTextContent(office.whyUs[1]?.title ?? 'no reason')
  expect(screen.getByRole('img', { name: 'कंपनी सचिव' }).closest('li')).toHaveAttribute('lang', 'hi')
  expect(screen.getByRole('img', { name: 'GST Practitioners' }).closest('li')).toHaveAttribute('lang', 'en')
  vi.unstubAllGlobals()
  vi.resetModules()
})

// S2.landing.10-12
test('location and landmarks are shown, and directions open in a new tab', () => {
  open()
  const place = section('Find the office')
  for (const line of office.address) expect(place.getByText(line)).toBeVisible()
  for (const landmark of office.landmarks) expect(place.getByText(landmark)).toBeVisible()
  const directions = place.getByRole('link', { name: /^Get Directions/ })
  expect(directions).toHaveAttribute('target', '_blank')
  const address = new URL(directions.getAttribute('href') ?? '')
  expect(address.origin + address.pathname).toBe('https://www.google.com/maps/search/')
  expect(address.searchParams.get('query')).toBe(office.mapsQuery)
})

// S2.landing.15-17
test('the office hours are shown', () => {
  open()
  const rows = within(screen.getByRole('table', { name: 'Office hours' })).getAllByRole('row')
  expect(rows.map((row) => Array.from(row.children, (cell) => cell.textContent))).toEqual([
    ['Monday-Friday', '9 AM-7 PM'],
    ['Saturday', '9 AM-5 PM'],
    ['Sunday', 'Closed'],
  ])
})

// S1.public.04, S2.landing.14
test('the footer repeats contact and hours', () => {
  open()
  expect(footer().getByRole('link', { name: 'desk@lekha.example' })).toBeVisible()
  expect(footer().getByRole('link', { name: '080 0000 0142' })).toBeVisible()
  expect(footer().getByText('Monday-Friday 9 AM-7 PM')).toBeVisible()
  expect(footer().getByText('Sunday closed')).toBeVisible()
})

// S2.landing.13, S2.appt.08
test('the form offers exactly the slots of the specification', () => {
  open()
  expect(screen.getAllByRole<HTMLInputElement>('radio').map((radio) => radio.value)).toEqual([
    '09:00',
    '10:00',
    '11:00',
    '12:00',
    '14:00',
    '15:00',
    '16:00',
    '17:00',
  ])
})

// S1.office.01
test('the default office is a tax and chartered-accountancy office in a city of India', () => {
  expect(office.certifications).toContain('Chartered Accountants')
  expect(office.services.map((service) => service.name)).toContain('Compliance Services')
  expect(office).toMatchObject({ city: 'Bengaluru', timeZone: 'Asia/Kolkata' })
})

test("another office's document replaces the built-in one", async () => {
  const other = {
    ...office,
    brand: 'Vridhi Associates',
    city: 'Nagpur',
    services: [{ name: 'Payroll', description: 'Slips and returns', est_minutes: 25 }],
    appointmentSlots: ['08:30'],
    certifications: ['Valuers'],
  }
  server.use(answer(other))
  open()
  expect(await header().findByText('Vridhi Associates')).toBeVisible()
  expect(screen.getByText(/companies of Nagpur\./)).toBeVisible()
  expect(section('Services').getByText('Payroll')).toBeVisible()
  expect(screen.getAllByRole('radio')).toHaveLength(1)
  expect(screen.getByRole('img', { name: 'Valuers' })).toBeVisible()
})

// S1.public.05, S8.toast.22
test('an accepted request is confirmed and takes the place of the form, until another one is wanted', async () => {
  server.use(
    http.post('/api/appointments', async ({ request }) => {
      const body = (await request.json()) as object
      const appointment = {
        message: '',
        ...body,
        id: 'a1',
        status: 'pending',
        createdAt: '2026-11-20T06:00:00Z',
      }
      return HttpResponse.json({ appointment }, { status: 201 })
    }),
  )
  const user = open()
  await header().findByText(office.brand) // The page no longer shows the office of the previous test.
  await submitRequest(user)

  const toast = 'Appointment request submitted successfully. We will contact you soon.'
  await eventually(() => expect(screen.getByRole('status')).toHaveTextContent(toast))
  const booking = section('Book a Consultation')
  await eventually(() => expect(booking.getByRole('heading', { name: 'Request sent' })).toHaveFocus())
  expect(booking.getByText(/Until then the time is kept for you\.$/)).toBeVisible()
  const sent = booking.getAllByRole('definition').slice(-3)
  expect(sent.map(({ textContent }) => textContent)).toEqual([
    'GST Registration',
    longDay(monday),
    '11:00 AM',
  ])
  expect(screen.queryByLabelText('Name')).toBeNull()

  await user.click(booking.getByRole('button', { name: 'Request another' }))
  expect(screen.getByLabelText('Name')).toHaveFocus()
  for (const label of ['Name', 'Phone', 'Email', 'Service', 'Preferred Date'])
    expect(screen.getByLabelText(label)).toHaveValue('')
  expect(screen.getByRole('radio', { name: '11:00' })).not.toBeChecked()
})

// S8.toast.21
test('with the backend unavailable an error is shown and the input is kept', async () => {
  server.use(
    http.get('/api/office', () => HttpResponse.error()),
    http.get('/office.json', () => HttpResponse.error()),
    http.post('/api/appointments', () => HttpResponse.error()),
  )
  await submitRequest(open())
  const toast = 'Failed to submit appointment request. Please try again.'
  await eventually(() => expect(screen.getByRole('alert')).toHaveTextContent(toast))
  expect(screen.getByLabelText('Name')).toHaveValue('Asha Rao')
})

// S2.appt.09, S2.appt.12
test('a page without a backend simulates the request: the same toast, no call', async () => {
  const alone = {
    ...office,
    brand: 'Hosted alone',
    features: { ...office.features, appointments: 'simulated' },
  }
  server.use(
    http.get('/api/office', () => HttpResponse.html('<!doctype html>')),
    http.get('/office.json', () => HttpResponse.json(alone)),
  )
  const user = open()
  await header().findByText('Hosted alone')
  await submitRequest(user)
  const toast = 'Appointment request submitted successfully. We will contact you soon.'
  await eventually(() => expect(screen.getByRole('status')).toHaveTextContent(toast))
})

test("a button beside the submit button opens the office's privacy notice", async () => {
  // jsdom has no modal dialogs: the browser test opens the real one.
  const showModal = vi.fn(function (this: HTMLDialogElement) {
    this.open = true
  })
  HTMLDialogElement.prototype.showModal = showModal
  await open().click(screen.getByRole('button', { name: 'Read the privacy notice' }))
  expect(showModal).toHaveBeenCalledOnce()
  const notice = screen.getByRole('dialog', { name: office.notice.title })
  for (const paragraph of office.notice.text.split('\n\n')) expect(notice).toHaveTextContent(paragraph)
  expect(notice).toHaveTextContent(office.notice.contact)
})

test('heading levels never skip one', () => {
  open()
  const levels = screen.getAllByRole('heading').map((heading) => Number(heading.tagName.slice(1)))
  levels.reduce((above, level) => {
    expect(level - above).toBeLessThanOrEqual(1)
    return level
  }, 0)
})
