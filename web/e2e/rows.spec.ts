import type { Page } from '@playwright/test'
import type { Forecast, Visit } from '@/api/types'
import { atEveryLook, expectAccessible } from './accessibility'
import { deskOfRole, welcome } from './desk'
import { languages } from './extent'
import { accountOf, arrive } from './people'
import { queueOf } from './queue'
import { expect, test } from './test'

test.beforeAll(async () => {
  const { visits } = await (await deskOfRole('pa')).pending()
  await welcome(Math.max(0, 12 - visits.length))
})

/** The rows that are wholly in the window and in their list. */
const wholeRows = (page: Page) =>
  queueOf(page).evaluate((list) => {
    const { top, bottom } = list.getBoundingClientRect()
    const lowest = Math.min(bottom, innerHeight)
    const isWhole = (row: Element) => {
      const box = row.getBoundingClientRect()
      return box.top >= top && box.bottom <= lowest + 1
    }
    return [...list.querySelectorAll('li')].filter(isWhole).length
  })

const noDesk: Forecast = {
  early: false,
  from: null,
  likely: null,
  madeAt: new Date().toISOString(),
  note: 'nobody_at_desk',
  sooner: null,
  to: null,
}

for (const { width, height, rows } of [
  { width: 1440, height: 900, rows: 8 },
  { width: 1366, height: 768, rows: 5 },
  { width: 1280, height: 720, rows: 5 },
]) {
  test(`reception sees ${rows} rows beside a ticket at ${width}x${height}`, async ({ browser }) => {
    const { page, context } = await arrive(browser, accountOf('reception'), { viewport: { width, height } })
    // Long names make their rows higher; each other visitor waits without a consultant who could call.
    const shown = (visit: Visit, index: number): Visit => ({
      ...visit,
      name: 'Asha Kulkarni',
      assignedConsultant: visit.assignedConsultant && 'Imran Sheikh',
      queue: { ...visit.queue, ...(visit.queue.forecast && index % 2 ? { forecast: noDesk } : {}) },
    })
    await page.route(/\/api\/visits\/today/, async (route) => {
      const answer = await route.fetch()
      const { visits, ...rest } = (await answer.json()) as { visits: Visit[] }
      await route.fulfill({ response: answer, json: { ...rest, visits: visits.map(shown) } })
    })
    await page.reload()
    await expect(page.getByText('Connected', { exact: true })).toBeVisible()
    await queueOf(page)
      .getByRole('button', { name: /^Show T-/ })
      .first()
      .click()
    await expect(page.getByRole('article', { name: /^Token T-/ })).toBeVisible()
    await expect.poll(() => wholeRows(page)).toBeGreaterThanOrEqual(rows)
    await expect(page.getByRole('button', { name: 'Print Token' })).toBeInViewport({ ratio: 1 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)

    await page.keyboard.press('Escape')
    await expect(page.getByRole('article', { name: /^Token T-/ })).toHaveCount(0)
    await context.close()
  })
}

test('beside the form, also on a tablet, a list is not wider than its frame', async ({ browser }) => {
  const { page, context } = await arrive(browser, accountOf('reception'))
  for (const language of languages) {
    await context.addCookies([{ name: 'baari_lang', value: language, url: page.url() }])
    await page.reload()
    await expect(page.locator('.ledger-row .status-tag').first()).toBeVisible()
    for (const width of [901, 1024, 1088, 1089]) {
      await page.setViewportSize({ width, height: 768 })
      const beyond = await page
        .locator('.scroll-region:has(.ledger)')
        .evaluate((frame) => frame.scrollWidth - frame.clientWidth)
      expect(beyond, `${width} px in ${language}`).toBe(0)
    }
  }
  await context.close()
})

test('tabs, counts and search stand in one line; the class stays inside the form on a phone', async ({
  browser,
}) => {
  const { page, context } = await arrive(browser, accountOf('reception'), { theme: 'system' })
  const middle = async (selector: string) => {
    const box = await page.locator(selector).boundingBox()
    return Math.round((box?.y ?? 0) + (box?.height ?? 0) / 2)
  }
  const search = page.getByRole('searchbox')
  expect(Math.abs((await middle('.count-tabs')) - (await middle('.queue-search')))).toBeLessThanOrEqual(2)
  await expect(page.getByRole('tablist').getByRole('searchbox')).toHaveCount(0)
  const before = await page.locator('.count-tabs').boundingBox()
  await page.getByRole('tab', { name: /^Appointment Requests/ }).click()
  await expect(search).toHaveCount(0)
  expect((await page.locator('.count-tabs').boundingBox())?.x).toBe(before?.x)
  await page.getByRole('tab', { name: /^Waiting / }).click()
  await expect(queueOf(page).getByRole('listitem').first()).toBeVisible()
  await expectAccessible(page, 'the list with its tabs')

  await page.getByRole('tab', { name: /^All / }).click()
  await expect(page).toHaveURL(/tab=all$/)
  await page.reload()
  await expect(page.getByRole('tab', { name: /^All / })).toHaveAttribute('aria-selected', 'true')

  await page.setViewportSize({ width: 390, height: 844 })
  const form = await page.locator('.visit-form').boundingBox()
  const field = await page.locator('.visit-form-details .ant-select >> nth=-1').boundingBox()
  expect((field?.x ?? 0) + (field?.width ?? 0)).toBeLessThanOrEqual((form?.x ?? 0) + (form?.width ?? 0) + 1)
  await context.close()
})

test('the queue says who is next, and finds a visitor however it is typed, in both widths and themes', async ({
  browser,
}) => {
  const reception = await deskOfRole('reception')
  const stamp = `${Date.now() % 1_000_000}`
  const older = await reception.register({ name: `सुनीता ${stamp}` })
  const newer = await reception.register({ name: `Sunita ${stamp}` })
  await (await deskOfRole('pa')).sendToLine(older)
  const { page, context } = await arrive(browser, accountOf('reception'), { theme: 'system' })
  const rows = queueOf(page).getByRole('listitem')
  const search = page.getByRole('searchbox')
  const number = Number(newer.token.slice(2))
  await atEveryLook(page, async (look) => {
    await page.getByRole('tab', { name: /^Waiting / }).click()
    for (const typed of [`T${number}`, `${number}`, `t-${String(number).padStart(3, '0')}`]) {
      await search.fill(typed)
      await expect(rows.filter({ hasText: newer.token }), `${typed}, ${look}`).toHaveCount(1)
    }
    await search.fill(`sunita ${stamp}`)
    await expect(rows, look).toHaveCount(2)
    await expect(rows.first(), look).toContainText(older.token)
    await expect(rows.first(), look).toContainText(/No\. \d+/)
    await expect(rows.last(), look).toContainText(newer.token)
    await search.press('Escape')
    await page.getByRole('tab', { name: /^Done / }).click()
    await expect(page, look).toHaveURL(/tab=done$/)
  })
  await context.close()
})
