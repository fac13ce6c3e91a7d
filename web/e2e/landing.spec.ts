import type { Page } from '@playwright/test'
import { violationsOf } from './accessibility'
import { monday } from './appointment-days'
import { provoke } from './faults'
import { looks } from './extent'
import { expect, test } from './test'

const sent = 'Appointment request submitted successfully. We will contact you soon.'
const failed = 'Failed to submit appointment request. Please try again.'

async function open(page: Page, { width = 1440, theme = 'light' } = {}) {
  await page.setViewportSize({ width, height: 900 })
  await page.addInitScript((stored) => localStorage.setItem('ui-theme', stored), theme)
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}

/** Requests that reach the office each have a time of their own: the places of a time are few. */
async function fillIn(page: Page, time = '11:00') {
  await page.getByLabel('Name').fill('Asha Rao')
  await page.getByLabel('Phone').fill('9876543210')
  await page.getByLabel('Email').fill('asha@example.in')
  await page.getByLabel('Service').selectOption('GST Registration')
  await page.getByLabel('Preferred Date').fill(monday)
  await page.getByRole('radio', { name: time }).check({ force: true })
  await page.getByLabel('Message (optional)').fill('Two Form 16s this year.')
}

/** The heading of what takes the place of the form. */
const requestSent = (page: Page) => page.getByRole('heading', { name: 'Request sent' })

const submit = (page: Page) => page.getByRole('button', { name: 'Request Appointment' })

for (const look of looks) {
  // S2.route.01
  test(`the page opens without accessibility violations at ${look.name}`, async ({ page }) => {
    await open(page, look)
    await page.evaluate(() => document.fonts.ready)

    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width).toBeLessThanOrEqual(look.width)
    expect(await violationsOf(page)).toEqual([])
  })

  test(`errors, notice and toast have no accessibility violations at ${look.name}`, async ({ page }) => {
    provoke(page, /^failed POST \/api\/appointments net::ERR_FAILED/)
    await page.route('**/api/appointments', (route) => route.abort())
    await open(page, look)
    await submit(page).click()
    await expect(page.getByText('Name is required')).toBeVisible()
    expect(await violationsOf(page)).toEqual([])

    await page.getByRole('button', { name: 'Read the privacy notice' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    expect(await violationsOf(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()

    await fillIn(page)
    await submit(page).click()
    await expect(page.getByRole('alert')).toHaveText(failed)
    expect(await violationsOf(page)).toEqual([])
  })
}

// S1.public.01
test('the page does not require a session, and none of its calls does', async ({ page }) => {
  const rejected: string[] = []
  page.on('response', (response) => {
    if (response.status() === 401 || response.status() === 403) rejected.push(response.url())
  })
  await open(page)
  await page.waitForLoadState('networkidle')
  expect(new URL(page.url()).pathname).toBe('/')
  expect(rejected).toEqual([])
})

// S2.landing.04
test('Staff Login goes to the sign-in screen', { tag: '@main' }, async ({ page }) => {
  await open(page)
  await page.getByRole('link', { name: 'Staff Login' }).click()
  await expect(page).toHaveURL(/\/login$/)
})

// Without a session, the dashboard's gate redirects to /login.
// S2.landing.06
test('Walk-In Welcome goes to the dashboard', async ({ page }) => {
  await open(page)
  await page.getByRole('link', { name: 'Walk-In Welcome' }).click()
  await expect(page).toHaveURL(/\/(dashboard|login)$/)
})

// S2.landing.05
test('Book a Consultation scrolls to the form', async ({ page }) => {
  await open(page)
  await expect(page.getByLabel('Name')).not.toBeInViewport()
  await page.getByRole('link', { name: 'Book a Consultation' }).click()
  await expect(page.getByLabel('Name')).toBeInViewport()
  expect(new URL(page.url()).pathname).toBe('/')
})

// S2.landing.12
test('Get Directions opens a maps search beside the page', async ({ page, context }) => {
  await context.route('https://www.google.com/**', (route) => route.fulfill({ body: 'a map' }))
  await open(page)
  const opened = context.waitForEvent('page')
  await page.getByRole('link', { name: /^Get Directions/ }).click()
  expect(new URL((await opened).url()).searchParams.get('query')).toContain('Jayanagar')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

// S5.appt.08
test('today is the day of the office, not of the visitor', async ({ browser }) => {
  const context = await browser.newContext({ timezoneId: 'America/Los_Angeles' })
  const page = await context.newPage()
  await page.clock.setFixedTime('2025-01-31T20:00:00Z')
  const today = () => new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata' }).format()
  const before = today()
  await open(page)
  await expect(async () => {
    const first = await page.getByLabel('Preferred Date').getAttribute('min')
    expect([before, today()]).toContain(first)
  }).toPass()
  await context.close()
})

// S1.public.05, S2.appt.10, S8.toast.22
test('a request reaches the office', { tag: '@main' }, async ({ page }) => {
  await open(page)
  await fillIn(page, '10:00')
  const answered = page.waitForResponse('**/api/appointments')
  await submit(page).click()
  const answer = await answered
  expect(answer.status()).toBe(201)
  expect(await answer.json()).toMatchObject({
    appointment: { service: 'GST Registration', preferredTime: '10:00', status: 'pending' },
  })
  await expect(page.getByRole('status')).toHaveText(sent)
  await expect(requestSent(page)).toBeFocused()
  await expect(page.getByRole('definition').filter({ hasText: '10:00 AM' })).toBeVisible()
  await page.getByRole('button', { name: 'Request another' }).click()
  await expect(page.getByLabel('Name')).toBeFocused()
  await expect(page.getByLabel('Name')).toHaveValue('')
})

// S8.toast.21
test('with the backend unavailable, the page stays usable and keeps the input', async ({ page }) => {
  provoke(page, /^failed \w+ \/(api\/[\w/]+|office\.json) net::ERR_FAILED/)
  await page.route('**/api/**', (route) => route.abort())
  await page.route('**/office.json', (route) => route.abort())
  await open(page)
  await fillIn(page)
  await submit(page).click()
  await expect(page.getByRole('alert')).toHaveText(failed)
  await expect(page.getByLabel('Name')).toHaveValue('Asha Rao')
  await expect(page.getByRole('radio', { name: '11:00' })).toBeChecked()
})

// S2.appt.09
test('hosted without a backend, the page simulates the request and makes no call', async ({
  page,
  request,
}) => {
  const office = (await (await request.get('/office.json')).json()) as { features: object }
  const alone = { ...office, features: { ...office.features, appointments: 'simulated' } }
  const calls: string[] = []
  provoke(page, /^failed GET \/api\/office net::ERR_FAILED/)
  await page.route('**/api/**', (route) => {
    calls.push(new URL(route.request().url()).pathname)
    return route.abort()
  })
  await page.route('**/office.json', (route) => route.fulfill({ json: alone }))
  const read = page.waitForResponse('**/office.json')
  await open(page)
  await read
  await fillIn(page)
  await submit(page).click()
  await expect(page.getByRole('status')).toHaveText(sent)
  expect(calls).toEqual(['/api/office'])
})

test(
  'the keyboard alone skips to the content, books and reads the notice',
  { tag: '@main' },
  async ({ page }) => {
    await open(page)
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Book a Consultation' })).toBeFocused()

    await page.getByLabel('Preferred Date').focus()
    await page.getByRole('radio', { name: '09:00' }).focus()
    await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('radio', { name: '10:00' })).toBeChecked()

    await page.getByRole('button', { name: 'Read the privacy notice' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Read the privacy notice' })).toBeFocused()
  },
)

test('a search engine can read name, address and hours of the office without running a script', async ({
  request,
  baseURL,
}) => {
  const { brand, city, phone, hours } = (await (await request.get('/office.json')).json()) as {
    brand: string
    city: string
    phone: string
    hours: { open: string | null }[]
  }
  const page = await (await request.get('/', { headers: { Accept: 'text/html' } })).text()
  const content = (name: string) =>
    new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)">`).exec(page)?.[1] ?? ''
  const plain = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&#43;', '+')

  expect(plain(/<title>(.*?)<\/title>/.exec(page)?.[1] ?? '')).toContain(brand)
  expect(plain(content('description'))).toContain(brand)
  expect(content('description').length).toBeGreaterThan(70)
  expect(plain(content('og:title'))).toContain(brand)
  expect(content('og:description')).toBe(content('description'))
  expect(content('og:url')).toBe(`${baseURL}/`)
  expect(page).toContain(`<link rel="canonical" href="${baseURL}/">`)
  expect(page).not.toContain('noindex')

  const block = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page)?.[1] ?? ''
  expect(JSON.parse(block)).toMatchObject({
    '@type': 'AccountingService',
    name: brand,
    telephone: phone,
    address: { addressLocality: city },
    openingHoursSpecification: hours.filter(({ open }) => open !== null).map(() => ({ opens: '09:00' })),
  })
  expect(await (await request.get('/robots.txt')).text()).toContain(`Sitemap: ${baseURL}/sitemap.xml`)
  expect(await (await request.get('/sitemap.xml')).text()).toContain(`<loc>${baseURL}/</loc>`)
})

test('the first paint shows this office, before any response arrives', async ({ page }) => {
  await page.route('**/api/office', () => undefined)
  const office = page.locator('#office')
  await open(page)
  const { brand, services } = JSON.parse((await office.textContent()) ?? '') as {
    brand: string
    services: { name: string }[]
  }
  await expect(page.getByRole('banner')).toContainText(brand)
  for (const { name } of services) await expect(page.getByRole('listitem').getByText(name)).toBeVisible()
})

test('on a slow phone the form can be filled in and submitted, and nothing jumps', async ({ page }) => {
  const device = await page.context().newCDPSession(page)
  await device.send('Network.enable')
  const kilobits = 1024 / 8
  await device.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 300,
    downloadThroughput: 700 * kilobits,
    uploadThroughput: 400 * kilobits,
  })
  await device.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.addInitScript(() => {
    const jumps: number[] = []
    new PerformanceObserver((list) => {
      for (const shift of list.getEntries() as (PerformanceEntry & {
        value: number
        hadRecentInput: boolean
      })[])
        if (!shift.hadRecentInput) jumps.push(shift.value)
    }).observe({ type: 'layout-shift', buffered: true })
    Object.assign(window, { jumps })
  })
  await open(page, { width: 390 })
  await page.waitForLoadState('networkidle')
  const jumps = await page.evaluate(() => (window as unknown as { jumps: number[] }).jumps)
  expect(jumps.reduce((sum, jump) => sum + jump, 0)).toBeLessThan(0.02)

  await fillIn(page, '12:00')
  const answered = page.waitForResponse('**/api/appointments')
  await submit(page).click()
  expect((await answered).status()).toBe(201)
  await expect(requestSent(page)).toBeVisible()
})

for (const [trouble, time, status, json] of [
  ['rejects too many requests', '14:00', 429, { error: 'Too many requests. Please try again later.' }],
  ['answers what is no JSON', '15:00', 502, undefined],
] as const) {
  test(`a backend that ${trouble} does not lose any input`, async ({ page }) => {
    provoke(page, /^(429|502) POST \/api\/appointments/)
    await page.route('**/api/appointments', (route) =>
      route.fulfill(
        json ? { status, json } : { status, contentType: 'text/html', body: '<h1>Bad gateway</h1>' },
      ),
    )
    await open(page)
    await fillIn(page, time)
    await submit(page).click()
    await expect(page.getByRole('alert')).toContainText(failed)
    if (json) await expect(page.getByRole('alert')).toContainText(json.error)
    await expect(page.getByLabel('Name')).toHaveValue('Asha Rao')
    await expect(page.getByLabel('Message (optional)')).toHaveValue('Two Form 16s this year.')

    await page.unroute('**/api/appointments')
    await submit(page).click()
    await expect(requestSent(page)).toBeVisible()
  })
}

test('Walk-In Welcome leads visitors to a page that begins with address and hours', async ({ page }) => {
  for (const look of looks) {
    await test.step(look.name, async () => {
      await open(page, look)
      await page.getByRole('link', { name: 'Walk-In Welcome' }).click()
      await expect(page).toHaveURL('/login')
      const visiting = page.getByRole('region', { name: 'Visiting us? No account needed.' })
      await expect(visiting).toContainText('Sunday')
      await expect(visiting.locator('address span').first()).toBeVisible()
      const [above, below] = [
        await visiting.boundingBox(),
        await page.getByRole('heading', { name: 'Welcome back' }).boundingBox(),
      ]
      expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThan(below?.y ?? 0)
      await open(page, look)
      await page.getByRole('link', { name: 'Staff Login' }).click()
      await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
      await expect(visiting).toHaveCount(0)
    })
  }
})
