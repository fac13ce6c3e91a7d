import type { Locator, Page } from '@playwright/test'
import { violationsOf } from './accessibility'
import { api } from './api'
import { deskOfRole, emptyLine, welcome } from './desk'
import { languages, themesAt } from './extent'
import { accountOf, arrive } from './people'
import { expect, test } from './test'

const trailAt = '/dashboard/admin?tab=audit'
const load = (page: Page) => page.getByRole('button', { name: 'Load Audit Trail' })
const records = (page: Page) => page.getByRole('group', { name: 'Audit records' })

/** The heights of those rows of a table that are completely visible in the table and in the window. */
const wholeRows = (list: Locator) =>
  list.evaluate((list) => {
    const head = list.querySelector('thead')?.getBoundingClientRect()
    const { bottom } = list.getBoundingClientRect()
    return [...list.querySelectorAll('.ant-table-row')]
      .map((row) => row.getBoundingClientRect())
      .filter((row) => row.top >= (head?.bottom ?? 0) - 1 && row.bottom <= Math.min(bottom, innerHeight) + 1)
      .map(({ height }) => height)
  })

for (const theme of themesAt(1440)) {
  test(`the trail shows ten records, each a sentence that opens to its changes, ${theme}`, async ({
    browser,
  }) => {
    const last = (await welcome(12)).at(-1)
    const { page, context } = await arrive(browser, accountOf('admin'), {
      at: trailAt,
      theme,
      viewport: { width: 1440, height: 1000 },
    })
    await expect
      .poll(async () => (await api(page).audit(last?.id ?? '')).audit_records.length)
      .toBeGreaterThan(0)
    for (const width of [1440, 1280]) {
      await page.setViewportSize({ width, height: 1000 })
      await load(page).click()
      await expect(records(page).getByRole('row').nth(11)).toBeAttached()
      await records(page).scrollIntoViewIfNeeded()
      const heights = await wholeRows(records(page))
      expect(heights.length, `${width} px`).toBeGreaterThanOrEqual(10)
      expect(Math.max(...heights), `${width} px`).toBeLessThanOrEqual(44)
    }
    const first = records(page).locator('.ant-table-row').first()
    await expect(first.locator('summary')).toContainText(/^\S.* T-\d+/)
    await first.locator('summary').click()
    await expect(first.locator('dl')).toBeVisible()
    await expect(first.locator('code').first()).toBeVisible()
    expect(await violationsOf(page)).toEqual([])
    await context.close()
  })
}

test('the trail finds by token and by the begin of a name, which the address does not have', async ({
  browser,
}) => {
  const stamp = `${Date.now() % 1_000_000}`
  const visit = await (await deskOfRole('reception')).register({ name: `Sumitra Kulkarni${stamp}` })
  const { page, context } = await arrive(browser, accountOf('admin'), { at: trailAt })
  // The page reads the trail only once, when the button is pressed, so the records must be there before.
  const recorded = async () => (await api(page).audit(visit.id)).audit_records.length
  await expect.poll(recorded).toBeGreaterThan(0)
  const found = records(page).locator('.ant-table-row')
  const number = String(Number(visit.token.slice(2)))
  const search = async (typed: string) => {
    await page.getByLabel('Token or name').fill(typed)
    const answer = page.waitForResponse((response) => response.url().includes('/api/analytics/audit'))
    await load(page).click()
    await answer
    await expect(load(page)).toBeEnabled()
  }
  for (const typed of [visit.token, `T${number}`, `kulkarni${stamp} sumi`]) {
    await search(typed)
    await expect(found.filter({ hasText: `registered ${visit.token} of ${visit.name}` })).toHaveCount(1)
    await expect(found.filter({ hasNotText: visit.token })).toHaveCount(0)
    expect(page.url()).not.toContain('ulkarni')
  }
  await search(`nobody-${stamp}`)
  await expect(records(page)).toContainText('No audit records found.')
  await page.goBack()
  await expect(page.getByLabel('Token or name')).toHaveValue(`kulkarni${stamp} sumi`)
  await expect(found.filter({ hasText: visit.token }).first()).toBeVisible()
  await page.getByRole('button', { name: 'Views of data' }).click()
  await expect(records(page)).toContainText('read this trail')
  await context.close()
})

test('the whole day is closed with one request and one undo, after a question', async ({ browser }) => {
  await emptyLine()
  const [one, other] = await welcome(2)
  if (!one || !other) throw new Error('no visitor arrived')
  const { page, context } = await arrive(browser, accountOf('admin'), { theme: 'system' })
  let batches = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/api/visits/batch')) batches += 1
  })
  await page.getByRole('button', { name: 'Close the day' }).click()
  const sheet = page.getByRole('dialog', { name: 'Who is still here' })
  const entry = sheet.getByRole('listitem').filter({ hasText: one.token })
  await expect(entry).toBeVisible()
  await sheet.getByRole('button', { name: 'All left...' }).click()
  const question = page.getByRole('dialog', { name: /^End \d+ visits\?$/ })
  await expect(question).toContainText("They count as left, and the visitors' phones show it.")
  await question.getByRole('button', { name: 'Go back' }).click()
  await expect(question).toBeHidden()
  await expect(entry).toBeVisible()

  await sheet.getByRole('button', { name: 'All left...' }).click()
  const end = question.getByRole('button', { name: /^End \d+ visits$/ })
  const count = Number(/\d+/.exec((await end.textContent()) ?? ''))
  await end.click()
  await expect(entry).toBeHidden()
  await expect.poll(() => batches).toBe(Math.ceil(count / 50))

  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await expect(page.getByRole('button', { name: /^Undo: / })).toBeVisible()
  await page.keyboard.press('Control+F9')
  await page.getByRole('button', { name: 'Close the day' }).click()
  await expect(entry).toBeVisible()
  await expect(sheet.getByRole('listitem').filter({ hasText: other.token })).toBeVisible()
  await context.close()
})

test('the grid of skills keeps the names in sight and shows where it is cut off', async ({ browser }) => {
  const { page, context } = await arrive(browser, accountOf('admin'), {
    at: '/dashboard/admin?tab=staff',
    viewport: { width: 1000, height: 700 },
  })
  for (const language of languages) {
    await context.addCookies([{ name: 'baari_lang', value: language, url: page.url() }])
    await page.reload()
    await page.locator('.staff .panel-extra button').first().click()
    const grid = page.locator('.skills-scroll')
    await expect(grid).toBeVisible()
    expect(await grid.evaluate((one) => one.scrollWidth > one.clientWidth), language).toBe(true)
    const name = grid.locator('tbody th').first()
    const before = await name.boundingBox()
    await grid.evaluate((one) => one.scrollTo(one.scrollWidth, 0))
    expect((await name.boundingBox())?.x, language).toBe(before?.x)
    // Two shadows stay at the edges of the grid. The gradients that hide them at the ends of the content
    // scroll with the content.
    expect(await grid.evaluate((one) => getComputedStyle(one).backgroundAttachment)).toBe(
      'local, local, scroll, scroll',
    )
  }
  await context.close()
})
