import type { Locator, Page } from '@playwright/test'
import type { Forecast, Visit } from '@/api/types'
import { atEveryLook, expectAccessible } from './accessibility'
import { deskOfRole, welcome } from './desk'
import { languages } from './extent'
import { accountOf, arrive } from './people'
import { openMore, queueOf } from './queue'
import { expect, test } from './test'

test.beforeAll(async () => {
  const { visits } = await (await deskOfRole('pa')).pending()
  await welcome(Math.max(0, 12 - visits.length))
})

/** The number of rows that are completely visible, both in the window and in their list. */
const wholeRows = (list: Locator, row: string) =>
  list.evaluate((list, row) => {
    const { top, bottom } = list.getBoundingClientRect()
    const lowest = Math.min(bottom, innerHeight)
    const isWhole = (row: Element) => {
      const box = row.getBoundingClientRect()
      return box.top >= top && box.bottom <= lowest + 1
    }
    return [...list.querySelectorAll(row)].filter(isWhole).length
  }, row)

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
    // The names are replaced, because long names make rows higher. The rows of every second waiting visitor also show
    // that no consultant could call.
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
    await expect.poll(() => wholeRows(queueOf(page), 'li')).toBeGreaterThanOrEqual(rows)
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
  await page.getByRole('tab', { name: /^Appointments/ }).click()
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
  await openMore(page)
  await expect(page.locator('.visit-form-details')).toBeVisible()
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
    await expect(rows.first(), look).toContainText(/Waiting, no\. \d+/)
    await expect(rows.last(), look).toContainText(newer.token)
    await search.press('Escape')
    await page.getByRole('tab', { name: /^Done / }).click()
    await expect(page, look).toHaveURL(/tab=done$/)
  })
  await context.close()
})

const pendingOf = (page: Page) => page.locator('.scroll-region:has(.pending-card)')

/** The faults of the rows, such as a height of more than 80 px, or a control that is out of sight. */
const faultsOf = (list: Locator) =>
  list.evaluate((list) => {
    const faults: string[] = []
    const frame = list.getBoundingClientRect()
    for (const row of list.querySelectorAll<HTMLElement>('.pending-card')) {
      const box = row.getBoundingClientRect()
      const name = row.getAttribute('aria-label') ?? ''
      if (box.height > 80) faults.push(`${name} is ${box.height} px high`)
      if (box.bottom > Math.min(innerHeight, frame.bottom)) continue
      const controls = row.querySelectorAll('.pending-decision :is(.ant-select, textarea, button)')
      if (controls.length !== 5) faults.push(`${name} has ${controls.length} controls`)
      for (const control of controls) {
        const at = control.getBoundingClientRect()
        const hit = document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2)
        const isInside = at.top >= box.top && at.left >= box.left && at.right <= box.right
        const isSeen = control.checkVisibility({ opacityProperty: true, visibilityProperty: true })
        if (!isSeen || !isInside || !hit || !control.contains(hit))
          faults.push(`${name}: ${control.tagName}.${control.className} is out of sight`)
      }
      const [deny, approve] = [controls[4], controls[2]].map((one) => one?.getBoundingClientRect().width ?? 0)
      if ((deny ?? 0) > (approve ?? 0)) faults.push(`${name}: Deny is wider than Approve`)
    }
    return faults
  })

for (const { width, height, rows } of [
  { width: 1440, height: 900, rows: 8 },
  { width: 1280, height: 720, rows: 5 },
]) {
  test(`the PA sees ${rows} rows with all their controls at ${width}x${height}`, async ({ browser }) => {
    const { page, context } = await arrive(browser, accountOf('pa'), { viewport: { width, height } })
    for (const language of languages) {
      await context.addCookies([{ name: 'baari_lang', value: language, url: page.url() }])
      await page.reload()
      await expect(page.locator('.pending-card').nth(rows - 1)).toBeVisible()
      await expect
        .poll(() => wholeRows(pendingOf(page), '.pending-card'), language)
        .toBeGreaterThanOrEqual(rows)
      await page.mouse.move(0, 0) // no row is under the pointer
      expect(await faultsOf(pendingOf(page)), language).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth), language).toBe(width)
    }
    await context.close()
  })
}

test("the PA's notes open over the next row, and cover no control of their own", async ({ browser }) => {
  const viewport = { width: 1280, height: 720 }
  const { page, context } = await arrive(browser, accountOf('pa'), { viewport, theme: 'system' })
  const [first, second] = [page.getByRole('article').first(), page.getByRole('article').nth(1)]
  const notes = first.getByPlaceholder('PA Notes')
  const before = await second.boundingBox()
  await expect(notes).toHaveCSS('height', '30px')
  await notes.fill(
    'Bring the notice of June, the challan of the second quarter, and both Form 16s of this year',
  )
  await expect(notes).toHaveCSS('height', '70px')
  const own = (await first.getAttribute('aria-label')) ?? ''
  const faults = await faultsOf(pendingOf(page))
  expect(faults.filter((fault) => fault.startsWith(own))).toEqual([])
  expect(await second.boundingBox()).toEqual(before)
  await notes.fill('')
  await expectAccessible(page, 'notes that are open')
  await notes.blur()
  await expect(notes).toHaveCSS('height', '30px')
  await context.close()
})

test('on a phone the first visitor comes first, with the buttons in the window', async ({ browser }) => {
  const { page, context } = await arrive(browser, accountOf('pa'), { viewport: { width: 390, height: 844 } })
  const first = page.getByRole('article').first()
  for (const name of ['Approve', 'Send to line', 'Deny'])
    await expect(first.getByRole('button', { name })).toBeInViewport({ ratio: 1 })
  const order = [
    page.getByRole('tab', { name: /^Line/ }),
    first,
    page.getByRole('region', { name: 'Available Consultants' }),
    page.getByText('Total Visitors'),
    page.getByRole('button', { name: 'Close the day' }),
  ]
  const tops = await Promise.all(order.map(async (one) => (await one.boundingBox())?.y ?? 0))
  expect(tops).toEqual(tops.toSorted((one, other) => one - other))
  await context.close()
})

test('five visitors go to the line with one request, and one undo brings them back', async ({ browser }) => {
  await welcome(6)
  const viewport = { width: 1280, height: 720 }
  const { page, context } = await arrive(browser, accountOf('pa'), { viewport, theme: 'system' })
  const bodies: unknown[] = []
  await page.route('**/api/visits/batch', (route) => {
    bodies.push(route.request().postDataJSON())
    return route.fallback()
  })
  await expect(page.getByRole('article').nth(5)).toBeVisible()
  const tokens: string[] = []
  for (let index = 0; index < 5; index++) {
    const row = page.getByRole('article').nth(index)
    tokens.push(((await row.getAttribute('aria-label')) ?? '').split(' ')[0] ?? '')
    await row.getByRole('checkbox').check()
  }
  const rowOf = (token: string) => page.getByRole('article', { name: new RegExp(`^${token} `) })
  expect(await faultsOf(pendingOf(page))).toEqual([])
  await expectAccessible(page, 'selected rows')
  await page.setViewportSize(viewport)
  await page.getByRole('button', { name: 'Send 5 to line' }).click()
  const undo = page.getByRole('button', { name: 'Undo: 5 sent to the line.' })
  await expect(undo).toBeVisible()
  await expect(page.locator('.shelf-open')).toHaveCount(1)
  for (const token of tokens) await expect(rowOf(token)).toHaveCount(0)
  const five = tokens.map(() => ({}))
  expect(bodies).toMatchObject([{ action: 'approve', line: true, visits: five }])
  await undo.click()
  for (const token of tokens) await expect(rowOf(token)).toBeVisible()
  await expect(undo).toHaveCount(0)
  expect(bodies.slice(1)).toMatchObject([{ action: 'undo', visits: five }])
  await context.close()
})
