import type { Page } from '@playwright/test'
import { completed } from './answers'
import { violationsOf } from './accessibility'
import { deskFor, deskOfRole, emptyLine } from './desk'
import { provoke } from './faults'
import { arrive, hire, signIn } from './people'
import { expect, test } from './test'

/** A phone number that no other test uses, so that the earlier visits are those of this test. */
const phone = () => `7${String(Date.now()).slice(-9)}`

const notes = (page: Page) => page.getByLabel('Session Notes')
const saved = (page: Page) => expect(page.getByText('Draft saved')).toBeVisible()

const isAccessible = async (page: Page) => expect(await violationsOf(page)).toEqual([])

test(
  'a consultant starts, writes and completes sessions by keyboard and sees an earlier visit',
  { tag: '@main' },
  async ({ browser }) => {
    await emptyLine()
    const account = await hire('consultant')
    const [reception, pa, own] = [
      await deskOfRole('reception'),
      await deskOfRole('pa'),
      await deskFor(account),
    ]
    const visitor = { name: 'Asha Kulkarni', phone: phone() }
    for (const visit of [await reception.register(visitor), await reception.register(visitor)])
      await pa.approve(visit, own.userId)
    const { page, context } = await arrive(browser, account)

    await test.step('start and complete by keys alone', async () => {
      const start = page.getByRole('button', { name: 'Start Session' }).first()
      await expect(start).toBeEnabled()
      for (
        let tabs = 0;
        tabs < 20 && !(await start.evaluate((one) => one === document.activeElement));
        tabs++
      )
        await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await expect(notes(page)).toBeFocused()
      await expect(page.getByText('First visit with this phone number')).toBeVisible()
      await page.keyboard.type('Return filed')
      await page.keyboard.press('Control+Enter')
      await expect(page.getByText(completed)).toBeVisible()
      await expect(start).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(notes(page)).toBeFocused()
    })

    await test.step('the earlier visit is in the session card', async () => {
      const earlier = page.getByRole('group', { name: 'Earlier visits' })
      await expect(earlier.getByRole('listitem')).toHaveCount(1)
      await expect(earlier).toContainText('Return filed')
      await isAccessible(page)
    })

    await test.step('notes survive a reload and are shown in another tab', async () => {
      await page.keyboard.type('Form 26AS matches')
      await saved(page)
      await page.reload()
      await expect(notes(page)).toHaveValue('Form 26AS matches')
      const other = await context.newPage()
      await other.goto('/dashboard/consultant')
      await expect(notes(other)).toHaveValue('Form 26AS matches')
      await other.close()
    })

    await test.step('notes survive a failed submission and a session that expires while typing', async () => {
      provoke(page, /^failed PUT \/api\/visits\/[^/]+\/(status|draft) /, /^401 (GET|PUT) \/api\//)
      await context.route('**/status', (route) => route.abort())
      // press() focuses the field first, because the page may focus it only after the text has appeared.
      await notes(page).press('Control+Enter')
      await expect(page.getByText('Failed to complete session')).toBeVisible()
      await expect(notes(page)).toHaveValue('Form 26AS matches')
      await context.unroute('**/status')
      // The text is typed before the sign-out, because the page may learn from its stream that the session has ended.
      await context.route('**/draft', (route) => route.abort())
      await notes(page).fill('Form 26AS matches; half a sen')
      await context.request.post('/api/auth/sign-out', {
        headers: { Origin: new URL(page.url()).origin },
        data: {},
      })
      await page.waitForURL('/login')
      await context.unroute('**/draft')
      await signIn(page, account)
      await expect(notes(page)).toHaveValue('Form 26AS matches; half a sen')
      await saved(page)
    })

    await test.step('the session fits a phone', async () => {
      await page.setViewportSize({ width: 390, height: 844 })
      await page.emulateMedia({ colorScheme: 'dark' })
      await isAccessible(page)
    })
    await context.close()
  },
)

test("the timer runs on the server's clock, across a wrong browser clock and a reload", async ({
  browser,
}) => {
  const account = await hire('consultant')
  const own = await deskFor(account)
  const visit = await (await deskOfRole('reception')).register({ name: 'Ravi Shetty' })
  await (await deskOfRole('pa')).approve(visit, own.userId)
  await own.start(visit)
  const { page, context } = await arrive(browser, account)
  await page.addInitScript(() => {
    const hour = 3_600_000
    const now = Date.now.bind(Date)
    Date.now = () => now() + hour
  })
  for (let loads = 0; loads < 2; loads++) {
    await page.reload()
    expect(await page.evaluate(() => Date.now())).toBeGreaterThan(Date.now() + 3_000_000)
    await expect(page.getByRole('timer')).toHaveText(/^0[0-4]:\d\d$/)
  }
  await context.close()
})
