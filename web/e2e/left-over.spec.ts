import type { Locator, Page } from '@playwright/test'
import { atEveryLook, violationsOf } from './accessibility'
import { queueRows } from './consultant'
import { deskFor, deskOfRole } from './desk'
import { accountOf, arrive, hire, type Account } from './people'
import { find } from './queue'
import { expect, test } from './test'

const yesterday = new Date(Date.now() - 86_400_000)
const shown = new Intl.DateTimeFormat('en-IN', { dateStyle: 'medium', timeZone: 'Asia/Kolkata' })
const dayOf = (at: Date) => new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata' }).format(at)

/** Makes the page take today's visits for visits left over from yesterday, because no test can wait for midnight. */
async function asOfYesterday(page: Page) {
  await page.route('**/api/visits/**', async (route) => {
    const response = await route.fetch()
    const answer = await response.text()
    const day = (at: Date) => `"day":"${dayOf(at)}"`
    await route.fulfill({ response, body: answer.replaceAll(day(new Date()), day(yesterday)) })
  })
}

test('a visitor who is left over from yesterday is shown as such, with the date', async ({ browser }) => {
  const account = await hire('consultant')
  const own = await deskFor(account)
  const [reception, pa] = [await deskOfRole('reception'), await deskOfRole('pa')]
  const undecided = await reception.register({ name: `Left over ${Date.now() % 1_000_000}` })
  const assigned = await pa.approve(await reception.register({ name: 'Asha Kulkarni' }), own.userId)
  const since = `From ${shown.format(yesterday)}`

  const expectSince = async (person: Account, where: (page: Page) => Locator | Promise<Locator>) => {
    const { page, context } = await arrive(browser, person, { theme: 'system' })
    await asOfYesterday(page)
    await page.reload()
    const place = await where(page)
    await atEveryLook(page, async (look, rules) => {
      await expect(place, look).toContainText(since)
      expect.soft(await violationsOf(page, rules), `${person.role}, ${look}`).toEqual([])
    })
    await context.close()
  }
  await expectSince(accountOf('reception'), (page) => find(page, undecided.name))
  await expectSince(accountOf('pa'), (page) => page.getByRole('article', { name: undecided.name }))
  await expectSince(account, (page) => queueRows(page).filter({ hasText: assigned.token }))
})
