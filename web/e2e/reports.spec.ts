import { violationsOf } from './accessibility'
import { adminPlaces } from './admin-places'
import { deskFor, deskOfRole } from './desk'
import { looks } from './extent'
import { accountOf, arrive, hire } from './people'
import { expect, test } from './test'

test('the admin sees charts and tables of a period, and prints the register', async ({ browser }) => {
  const account = await hire('consultant')
  const own = await deskFor(account)
  const [reception, pa] = [await deskOfRole('reception'), await deskOfRole('pa')]
  await expect.poll((await deskOfRole('admin')).consultants).toContain(own.userId)
  const visit = await pa.approve(await reception.register({ name: 'Asha Kulkarni' }), own.userId)
  await own.start(visit)
  await own.complete(visit)

  for (const { width, theme, name: look } of looks) {
    await test.step(look, async () => {
      const { page, context } = await arrive(browser, accountOf('admin'), {
        at: `${adminPlaces.reports}&days=30`,
        theme,
        viewport: { width, height: 900 },
      })
      const load = page.getByRole('group', { name: 'Visits by consultant' })
      await expect(load).toContainText(account.name)
      await expect(page.locator('.report-chart svg.recharts-surface').first()).toBeVisible()
      const register = page.getByRole('group', { name: 'Visitor register' })
      // A long list draws its rows only when they are scrolled to.
      await expect(async () => {
        await register.locator('li, tbody tr').last().scrollIntoViewIfNeeded()
        await expect(register).toContainText(visit.token, { timeout: 1_000 })
      }).toPass()
      await expect(register).toContainText('A*** K***')
      await expect(register).not.toContainText('Kulkarni')
      expect(await violationsOf(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      await page.evaluate(() => (window.print = () => (document.title = 'printed')))
      await page.getByRole('button', { name: 'Print register' }).click()
      await expect(page).toHaveTitle('printed')
      const saved = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Wait by service as CSV' }).click()
      expect((await saved).suggestedFilename()).toMatch(/^wait_by_service_.*\.csv$/)
      const arrivals = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Arrivals by weekday and hour as CSV' }).click()
      expect((await arrivals).suggestedFilename()).toMatch(/^arrivals_.*\.csv$/)
      await context.close()
    })
  }
})
