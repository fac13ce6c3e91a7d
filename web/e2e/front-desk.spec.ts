import type { Browser } from '@playwright/test'
import { atEveryLook, expectAccessible } from './accessibility'
import { monday, shownMonday } from './appointment-days'
import { deskFor, deskOfRole } from './desk'
import { accountOf, arrive, hire, type Account } from './people'
import { find } from './queue'
import { newPhone } from './appointment-requests'
import { expect, test } from './test'

/** Opens the dashboard of an account in a browser whose theme follows the system's. */
const open = (browser: Browser, account: Account) => arrive(browser, account, { theme: 'system' })

test("reception's states have no accessibility violations", async ({ browser }) => {
  const phone = newPhone()
  await (await deskOfRole('reception')).register({ name: 'Asha Kulkarni', phone })
  const { page, context } = await open(browser, accountOf('reception'))
  await page.getByLabel('Phone Number').fill(phone)
  await expect(page.getByText(/was here once, on/)).toBeVisible()
  await expectAccessible(page, 'a returning visitor')

  await page.getByLabel('Phone Number').press('Enter')
  await page.keyboard.type('ITR')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  const ticket = page.getByRole('article', { name: /^Token / })
  await expect(ticket).toContainText('Asha Kulkarni')
  await expectAccessible(page, 'a new token')

  await page.keyboard.press('Shift+F9')
  const large = page.getByRole('dialog', { name: 'Token' })
  const number = large.getByText(/^T-\d+$/)
  await expect(number).toBeVisible()
  const height = await number.evaluate((element) => parseFloat(getComputedStyle(element).fontSize))
  expect(height, 'pixels of a token that is read across a desk').toBeGreaterThanOrEqual(200)
  await expectAccessible(page, 'a large token')
  await page.keyboard.press('Escape')
  await expect(large).toBeHidden()

  const name = `Leela ${Date.now() % 1_000_000}`
  const requested = { name, phone, email: 'leela@example.com', service: 'GST Registration' }
  const answer = await page.request.post('/api/appointments', {
    data: { ...requested, preferredDate: monday, preferredTime: '11:00', message: '' },
  })
  expect(answer.status()).toBe(201)
  await page.goto('/dashboard/receptionist?tab=appointments&view=requests')
  await expect(page.getByRole('listitem', { name })).toContainText(shownMonday)
  await expectAccessible(page, 'appointment requests')
  await context.close()
})

test(
  "the PA's notes reach consultant and reception, and busy consultants stand below a divider",
  { tag: '@main' },
  async ({ browser }) => {
    const consultant = await hire('consultant', `Zarina ${Date.now()}`)
    const [reception, admin] = [await deskOfRole('reception'), await deskOfRole('admin')]
    const [pa, own] = [await deskOfRole('pa'), await deskFor(consultant)]
    await expect.poll(admin.consultants).toContain(own.userId)
    const stamp = Date.now() % 1_000_000
    const busy = await pa.approve(await reception.register({ name: `First ${stamp}` }), own.userId)
    const welcome = await reception.register({ name: `Second ${stamp}`, notes: 'Brought two Form 16s' })
    const denied = await reception.register({ name: `Third ${stamp}` })
    await own.start(busy)
    await pa.approve(await reception.register({ name: `Fourth ${stamp}` }), own.userId)

    const { page, context } = await open(browser, accountOf('pa'))
    const consultants = page.getByRole('region', { name: 'Available Consultants' })
    const row = consultants.getByRole('listitem').filter({ hasText: consultant.name })
    await expect(row).toContainText(/Busy.*Queue 1/)
    await expect(row).toContainText('In session')
    const card = page.getByRole('article', { name: new RegExp(`Second ${stamp}`) })
    const select = card.getByRole('combobox')
    const option = page.locator('.ant-select-item-option', { hasText: consultant.name })
    await select.focus()
    await page.keyboard.type(consultant.name)
    // The test runs with reduced motion, with which a list was once opened far outside the window.
    await expect(option).toBeInViewport()
    await expect(option).toContainText(/Busy, free in \d+ min/)
    await expectAccessible(page, 'the choice of a busy consultant')
    await page.keyboard.press('Escape')
    await atEveryLook(page, async (look) => {
      await expect(card.getByRole('button', { name: 'Approve' }), look).toBeDisabled() // no consultant is chosen
      await card.getByRole('button', { name: 'Deny' }).click()
      const reasons = page.getByRole('dialog', { name: `Deny ${welcome.token}` }).getByRole('radio')
      await expect(reasons, look).toHaveCount(4)
      await page.keyboard.press('Escape')
      await expect(reasons, look).toHaveCount(0)
    })
    await select.focus()
    await page.keyboard.type(consultant.name)
    await expect(option).toBeInViewport()
    await page.keyboard.press('Enter')
    await card.getByRole('textbox', { name: /^PA Notes/ }).fill('Knows the notice of June')
    await page.keyboard.press('Control+Enter')
    await expect(card).toHaveCount(0)

    const turnedAway = page.getByRole('article', { name: new RegExp(`Third ${stamp}`) })
    await turnedAway.getByRole('textbox', { name: /^PA Notes/ }).fill('No papers today')
    await page.keyboard.press('Shift+F9')
    await expect(turnedAway).toHaveCount(0)
    await context.close()

    const desk = await open(browser, accountOf('reception'))
    await expect(await find(desk.page, denied.token)).toContainText('No papers today')
    await desk.context.close()

    await own.complete(busy)
    await own.start(welcome)
    const room = await open(browser, consultant)
    const session = room.page.getByRole('region', { name: 'Current Session' })
    await expect(session).toContainText('From receptionBrought two Form 16s')
    await expect(session).toContainText('From the PAKnows the notice of June')
    await expectAccessible(room.page, 'a session with notes')
    await room.context.close()
  },
)
