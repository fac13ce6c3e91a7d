import type { Page } from '@playwright/test'
import { languages as known, type Language } from '@/locales/languages'
import { atEveryLook, expectAccessible, followSystemTheme, violationsOf } from './accessibility'
import { sunday } from './appointment-days'
import { newPhone } from './appointment-requests'
import { provoke } from './faults'
import { putBack, readSettings, type Settings } from './office-settings'
import { asAdmin } from './people'
import { messagesOf } from './pseudo-locale'
import { expect, test } from './test'

const dayMs = 86_400_000

/** A Tuesday four to five weeks ahead and the day after it, on which no other test asks for appointments. */
const later = new Date(Date.now() + 28 * dayMs)
const tuesday = new Date(later.getTime() + ((9 - later.getUTCDay()) % 7) * dayMs).toISOString().slice(0, 10)
const wednesday = new Date(Date.parse(tuesday) + dayMs).toISOString().slice(0, 10)

type Slots = { days: { slots: { time: string; state: string }[] }[] }
type Appointments = {
  appointmentSlots: string[]
  features: object
  appointments: { perSlot: number; byTime: Record<string, number> }
}

let before: Settings

test.beforeEach(async ({ page }) => {
  before = await readSettings()
  await followSystemTheme(page)
})

test.afterEach(async () => {
  const { appointments } = await asAdmin<{ appointments: { id: string; status: string }[] }>(
    'GET',
    `/api/appointments?date=${tuesday}&limit=100`,
  )
  for (const { id, status } of appointments)
    if (status === 'pending' || status === 'confirmed')
      await asAdmin('PUT', `/api/appointments/${id}`, { status: 'declined', tell: false })
  await putBack(before)
})

/** Lets each time have one appointment. */
async function onePlaceEach() {
  const section = before.office.sections.appointments
  const value = section?.value as Appointments
  const appointments = { ...value.appointments, perSlot: 1, byTime: {} }
  await asAdmin('PUT', '/api/office/settings/appointments', {
    value: { ...value, appointments },
    version: section?.version,
  })
  return value.appointmentSlots
}

async function book(date: string, time: string) {
  const { services } = await asAdmin<{ services: { id: string }[] }>('GET', '/api/services')
  const client = { name: `Leela ${time}`, phone: newPhone(), service_id: services[0]?.id }
  await asAdmin('POST', '/api/appointments/book', { ...client, date, time, tell: false })
}

/** Waits until the office counts the places of a time by the settings of this test. */
const untilTimesAre = (date: string, times: Record<string, string>) =>
  expect
    .poll(async () => {
      const { days } = await asAdmin<Slots>('GET', `/api/appointments/slots?from=${date}&days=1`)
      return Object.fromEntries((days[0]?.slots ?? []).map(({ time, state }) => [time, state]))
    })
    .toMatchObject(times)

const tile = (page: Page, name: string) => page.getByRole('radio', { name, exact: true })

async function fillIn(page: Page, day: string) {
  await page.getByLabel('Name').fill('Asha Rao')
  await page.getByLabel('Phone').fill(newPhone())
  await page.getByLabel('Email').fill('asha@example.in')
  await page.getByLabel('Service').selectOption('GST Registration')
  await page.getByLabel('Preferred Date').fill(day)
}

test('a time that is taken is disabled and says so; the others can be chosen', async ({ page }) => {
  await onePlaceEach()
  await book(tuesday, '09:00')
  await untilTimesAre(tuesday, { '09:00': 'full', '10:00': 'free' })
  await page.goto('/')
  await page.getByLabel('Preferred Date').fill(tuesday)
  await expect(tile(page, '09:00 taken')).toBeDisabled()
  await expect(tile(page, '10:00')).toBeEnabled()
  await atEveryLook(page, async (look, rules) => {
    const { scrollWidth, clientWidth } = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement
      return { scrollWidth, clientWidth }
    })
    expect.soft(scrollWidth, look).toBeLessThanOrEqual(clientWidth)
    expect.soft(await violationsOf(page, rules), look).toEqual([])
  })
})

test('a time that is taken while the form is filled in is refused, and another one can be chosen', async ({
  page,
}) => {
  await onePlaceEach()
  await untilTimesAre(tuesday, { '10:00': 'free', '11:00': 'free' })
  provoke(page, /^409 POST \/api\/appointments$/)
  await page.goto('/')
  await fillIn(page, tuesday)
  await tile(page, '10:00').check({ force: true })
  await book(tuesday, '10:00')

  await page.getByRole('button', { name: 'Request Appointment' }).click()
  const taken = 'This time is taken. Please choose another one.'
  await expect(page.getByRole('radiogroup', { name: 'Preferred Time' })).toHaveAccessibleDescription(taken)
  await expect(tile(page, '10:00 taken')).toBeDisabled()
  await expect(page.getByLabel('Name')).toHaveValue('Asha Rao')
  await expectAccessible(page, 'a time that was taken')

  await tile(page, '11:00').check({ force: true })
  const answered = page.waitForResponse('**/api/appointments')
  await page.getByRole('button', { name: 'Request Appointment' }).click()
  expect((await answered).status()).toBe(201)
  await expect(page.getByRole('heading', { name: 'Request sent' })).toBeFocused()
  await expect(page.getByRole('definition').filter({ hasText: '11:00 AM' })).toBeVisible()
  await expectAccessible(page, 'a request that was sent')
})

test('on a closed day no time can be chosen', async ({ page }) => {
  await page.goto('/')
  await page.getByLabel('Preferred Date').fill(sunday)
  for (const time of ['09:00', '17:00']) await expect(tile(page, `${time} closed`)).toBeDisabled()
  await expect(page.getByText('The office is closed on Sunday. Please choose another day.')).toBeVisible()
})

test('a full day offers the next free time, whose button chooses its day', async ({ page }) => {
  const times = await onePlaceEach()
  for (const time of times) await book(tuesday, time)
  await untilTimesAre(tuesday, Object.fromEntries(times.map((time) => [time, 'full'])))
  await page.goto('/')
  await page.getByLabel('Preferred Date').fill(tuesday)
  const next = page.getByRole('button', { name: /^Wednesday, / })
  await expect(next).toBeVisible()
  await expectAccessible(page, 'a full day')
  await next.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Preferred Date')).toHaveValue(wednesday)
  await expect(tile(page, times[0] ?? '')).toBeFocused()
  await expect(next).toBeHidden()
})

for (const language of Object.keys(known) as Language[])
  test(`a full day, the box for text messages and a sent request are worded in ${language}`, async ({
    page,
  }) => {
    const { appointments, booking } = messagesOf(language)
    const { form } = appointments
    let posted: { language?: string; messages?: boolean } = {}
    const slots = [
      { time: '09:00', state: 'full' },
      { time: '10:00', state: 'past' },
      { time: '11:00', state: 'closed' },
    ]
    const nextFree = { date: wednesday, time: '12:00' }
    await page.route('**/api/appointments/slots?*', async (route) => {
      const date = new URL(route.request().url()).searchParams.get('from')
      await route.fulfill({
        json: { days: [{ date, open: true, name: '', slots: date === tuesday ? slots : [] }], nextFree },
      })
    })
    await page.route('**/api/office', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...((await response.json()) as object), messages: 'on' } })
    })
    await page.route('**/api/appointments', async (route) => {
      const sent = route.request().postDataJSON() as typeof posted
      posted = sent
      await route.fulfill({ status: 201, json: { appointment: sent } })
    })
    await page.goto(`/?lang=${language}`)
    await page.getByLabel(form.preferredDate).fill(tuesday)
    for (const name of [`09:00 ${booking.full}`, `10:00 ${booking.past}`, `11:00 ${booking.closed}`])
      await expect(tile(page, name)).toBeDisabled()
    await atEveryLook(page, async (look, rules) => {
      const { scrollWidth, clientWidth } = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement
        return { scrollWidth, clientWidth }
      })
      expect.soft(scrollWidth, look).toBeLessThanOrEqual(clientWidth)
      expect.soft(await violationsOf(page, rules), look).toEqual([])
    })
    await page.locator('.af-times button').click()
    await expect(page.getByLabel(form.preferredDate)).toHaveValue(wednesday)

    await page.getByLabel(form.name, { exact: true }).fill('Asha Rao')
    await page.getByLabel(form.phone, { exact: true }).fill('9876543210')
    await page.getByLabel(form.email, { exact: true }).fill('asha@example.in')
    await page.getByLabel(form.service, { exact: true }).selectOption('GST Registration')
    await tile(page, '12:00').check({ force: true })
    const box = page.getByRole('checkbox', { name: booking.texts })
    await expect(box).not.toBeChecked()
    await box.check()
    await page.getByRole('button', { name: form.submit }).click()
    await expect(page.getByRole('heading', { name: booking.sentTitle })).toBeFocused()
    expect(posted).toMatchObject({ language, messages: true })
    await expectAccessible(page, `a request that was sent, in ${language}`)
    await page.getByRole('button', { name: booking.another }).click()
    await expect(page.getByLabel(form.name, { exact: true })).toBeFocused()
  })
