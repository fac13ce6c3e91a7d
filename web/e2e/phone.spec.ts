import type { Browser, Page } from '@playwright/test'
import { violationsOf } from './accessibility'
import { busyConsultant, deskOfRole, welcome } from './desk'
import { accountOf, arrive, hire, type Account } from './people'
import { themesAt } from './extent'
import { queueOf } from './queue'
import { expect, test } from './test'

const viewport = { width: 390, height: 844 }

/** Elements that scroll within the page or extend beyond its edge, and touch targets lower than 44 px. */
const objections = (page: Page) =>
  page.evaluate(() => {
    const nameOf = (element: Element) => `${element.tagName}.${element.className} ${element.textContent}`
    const all = [...document.querySelectorAll('main *')]
    const scrolls = all.filter(
      (one) =>
        one.tagName !== 'TEXTAREA' &&
        ['auto', 'scroll'].includes(getComputedStyle(one).overflowY) &&
        one.scrollHeight > one.clientHeight + 1,
    )
    // The button that clears a field is left out, because it is one target together with the field.
    const targets = 'main :is(button:not(.ant-select-clear), .ant-select, textarea)'
    const low = [...document.querySelectorAll<HTMLElement>(targets)].filter(
      (one) => one.checkVisibility({ visibilityProperty: true }) && one.offsetHeight < 44,
    )
    // The admin's tabs are left out, because they scroll sideways on purpose.
    const beyond = all.filter(
      (one) =>
        !one.closest('.ant-tabs-nav') &&
        one.checkVisibility() &&
        one.getBoundingClientRect().right > innerWidth + 1,
    )
    return { scrolls: scrolls.map(nameOf), low: low.map(nameOf), beyond: beyond.map(nameOf) }
  })

for (const theme of themesAt(390)) {
  const open = (browser: Browser, account: Account) => arrive(browser, account, { viewport, theme })

  test(`reception's phone, ${theme}: a tap shows a token large, the search sticks, the page alone scrolls`, async ({
    browser,
  }) => {
    const { visits } = await (await deskOfRole('pa')).pending()
    await welcome(Math.max(0, 14 - visits.length))
    const { page, context } = await open(browser, accountOf('reception'))
    const rows = queueOf(page).getByRole('listitem')
    await expect(rows.nth(9)).toBeAttached()
    expect(await objections(page)).toEqual({ scrolls: [], low: [], beyond: [] })
    await rows.nth(9).scrollIntoViewIfNeeded()
    await expect(page.getByRole('searchbox')).toBeInViewport({ ratio: 1 })
    await rows
      .nth(9)
      .getByRole('button', { name: /^Show [A-Z]-/ })
      .click()
    const large = page.getByRole('dialog', { name: 'Token' })
    await expect(large.getByText(/^[A-Z]-\d+$/)).toBeVisible()
    await context.close()
  })

  test(`a consultant's phone, ${theme}: Complete Session stays in reach`, async ({ browser }) => {
    const account = await hire('consultant')
    await busyConsultant(account, 3)
    const { page, context } = await open(browser, account)
    const complete = page.getByRole('button', { name: 'Complete Session' })
    await expect(complete).toBeInViewport({ ratio: 1 })
    await page.getByRole('region', { name: "Today's Completed Sessions" }).scrollIntoViewIfNeeded()
    await expect(complete).toBeInViewport({ ratio: 1 })
    await expect(page.getByLabel('Session Notes')).toHaveAttribute('rows', '4')
    expect(await objections(page)).toEqual({ scrolls: [], low: [], beyond: [] })
    await context.close()
  })

  for (const tab of ['visitors', 'staff', 'services', 'audit']) {
    test(`an admin's phone: the page alone scrolls on the tab ${tab}, ${theme}`, async ({ browser }) => {
      const at = `/dashboard/admin?tab=${tab}`
      const { page, context } = await arrive(browser, accountOf('admin'), { at, viewport, theme })
      const load = page.getByRole('button', { name: 'Load Audit Trail' })
      if (tab === 'audit') await load.click()
      const records = page.locator('.records')
      const entries = records.getByRole('listitem')
      await expect(entries.first()).toBeVisible()
      expect(await objections(page)).toEqual({ scrolls: [], low: [], beyond: [] })
      expect(await violationsOf(page)).toEqual([])
      await context.close()
    })
  }
}

test("an admin's phone: more visitors are drawn as the page is scrolled", async ({ browser }) => {
  const { visits } = await (await deskOfRole('admin')).today()
  await welcome(Math.max(0, 70 - visits.length))
  const at = '/dashboard/admin?tab=visitors'
  const { page, context } = await arrive(browser, accountOf('admin'), { at, viewport })
  const entries = page.locator('.records').getByRole('listitem')
  await expect(entries).toHaveCount(60)
  await entries.last().scrollIntoViewIfNeeded()
  await expect.poll(() => entries.count()).toBeGreaterThan(60)
  await context.close()
})
