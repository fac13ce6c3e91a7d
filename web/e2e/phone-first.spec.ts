import type { Locator, Page } from '@playwright/test'
import { adminPlaces } from './admin-places'
import { sessionCard } from './consultant'
import { deskFor, deskOfRole, emptyLine, welcome } from './desk'
import { accountOf, arrive, hire } from './people'
import { queueOf } from './queue'
import { expect, test } from './test'

const viewport = { width: 390, height: 844 }

/** Asserts that these parts are on the page, one below the other. */
async function expectInOrder(page: Page, parts: Record<string, Locator>) {
  await page.evaluate(() => scrollTo(0, 0))
  const tops: [string, number][] = []
  for (const [name, part] of Object.entries(parts)) {
    await expect(part, name).toBeVisible()
    const box = await part.boundingBox()
    tops.push([name, Math.round(box?.y ?? NaN)])
  }
  expect(tops).toEqual(tops.toSorted(([, one], [, other]) => one - other))
}

async function expectInFirstWindow(page: Page, element: Locator) {
  await page.evaluate(() => scrollTo(0, 0))
  await expect(element).toBeInViewport({ ratio: 1 })
}

const region = (page: Page, name: string) => page.getByRole('region', { name })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test('reception: the ticket comes first, then the form and the queue', async ({ browser }) => {
  await welcome(1)
  const { page, context } = await arrive(browser, accountOf('reception'), { viewport })
  await queueOf(page)
    .getByRole('button', { name: /^Show T-/ })
    .first()
    .click()
  await page.getByRole('dialog', { name: 'Token' }).getByRole('button', { name: 'Close' }).click()
  await expectInOrder(page, {
    head: page.getByRole('heading', { level: 1 }),
    ticket: page.locator('.reception article'),
    form: page.locator('.visit-form'),
    queue: queueOf(page),
  })
  await context.close()
})

test('the PA: the first visitor can be decided without scrolling, the totals come last', async ({
  browser,
}) => {
  await welcome(1)
  const { page, context } = await arrive(browser, accountOf('pa'), { viewport })
  const first = page.locator('.pending-card').first()
  await expectInOrder(page, {
    head: page.getByRole('heading', { level: 1 }),
    tabs: page.getByRole('tablist'),
    rows: first,
    consultants: region(page, 'Available Consultants'),
    totals: page.locator('.stats'),
    'the end of the day': button(page, 'Close the day'),
  })
  for (const name of ['Approve', 'Send to line', 'Deny'])
    await expectInFirstWindow(page, first.getByRole('button', { name }))
  const deny = await first.getByRole('button', { name: 'Deny' }).boundingBox()
  const approve = await first.getByRole('button', { name: 'Approve' }).boundingBox()
  expect(deny?.width ?? NaN).toBeLessThanOrEqual(approve?.width ?? 0)
  await context.close()
})

test('a consultant: the filled button of each state is in the first window, the lists below it', async ({
  browser,
}) => {
  await emptyLine()
  const account = await hire('consultant')
  const own = await deskFor(account)
  const pa = await deskOfRole('pa')
  const reception = await deskOfRole('reception')
  await expect.poll((await deskOfRole('admin')).consultants).toContain(own.userId)
  const { page, context } = await arrive(browser, account, { viewport })
  const primary = page.locator('.ant-btn-primary')
  const filled = (name: RegExp) => sessionCard(page).getByRole('button', { name }).and(primary)
  await expectInFirstWindow(page, filled(/^Open desk/))
  const counter = `${Date.now() % 1_000_000}`
  await page.getByLabel('Desk number').fill(counter)
  await page.keyboard.press('Enter')

  const visitor = await reception.register({
    name: 'Venkataramanan Lakshminarayanan Subrahmanyam',
    notes: 'Brought Form 16, the AIS statement and a notice of 12 June under section 143(1).',
  })
  await pa.approve(visitor, own.userId)
  await expectInFirstWindow(page, filled(new RegExp(`^Call ${visitor.token}`)))
  await filled(/^Call /).click()
  await expectInFirstWindow(page, filled(/^Start Session/))
  await expectInOrder(page, {
    head: page.getByRole('heading', { level: 1 }),
    card: sessionCard(page),
    queue: region(page, 'My Queue'),
    completed: region(page, "Today's Completed Sessions"),
    desk: region(page, 'My Desk'),
  })
  await filled(/^Start Session/).click()
  await expectInFirstWindow(page, filled(/^Complete Session/))
  await context.close()
})

test('the admin: totals, tabs in one row with the chosen one in sight, the tab, the end of the day', async ({
  browser,
}) => {
  const { page, context } = await arrive(browser, accountOf('admin'), {
    at: adminPlaces.privacy,
    viewport,
  })
  const tabs = page.getByRole('tab')
  const chosen = page.getByRole('tab', { selected: true })
  await expect(chosen).toHaveText('Office')
  await expect(chosen).toBeInViewport({ ratio: 1 })
  for (const { width, height } of [{ width: 844, height: 390 }, viewport]) {
    await page.setViewportSize({ width, height })
    await expect.poll(() => page.evaluate(() => document.documentElement.clientWidth)).toBe(width)
  }
  await expect(chosen).toBeInViewport({ ratio: 1 })
  const tops = await tabs.evaluateAll((all) => all.map((tab) => Math.round(tab.getBoundingClientRect().top)))
  expect(new Set(tops).size).toBe(1)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width)
  await expectInOrder(page, {
    head: page.getByRole('heading', { level: 1 }),
    totals: page.locator('.stats'),
    tabs: page.getByRole('tablist'),
    pages: page.getByRole('combobox', { name: 'Office' }),
    page: page.getByRole('tabpanel').locator('.panel').first(),
    'the end of the day': button(page, 'Close the day'),
  })

  await page.getByRole('tab', { name: 'Analytics' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('tab', { name: 'Analytics', selected: true })).toBeInViewport({ ratio: 1 })
  await context.close()
})
