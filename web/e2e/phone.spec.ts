import type { Page } from '@playwright/test'
import { busyConsultant, deskFor, deskOfRole, welcome } from './desk'
import { accountOf, arrive, hire } from './people'
import { queueOf } from './queue'
import { expect, test } from './test'

test.describe.configure({ timeout: 180_000 })

const viewport = { width: 390, height: 844 }

/** Elements of the page that scroll within the page or stand beyond its edge, and targets lower than 44 px. */
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
    const low = [...document.querySelectorAll<HTMLElement>('main :is(button, .ant-select, textarea)')].filter(
      (one) => one.checkVisibility({ visibilityProperty: true }) && one.offsetHeight < 44,
    )
    const beyond = all.filter(
      (one) => one.checkVisibility() && one.getBoundingClientRect().right > innerWidth + 1,
    )
    return { scrolls: scrolls.map(nameOf), low: low.map(nameOf), beyond: beyond.map(nameOf) }
  })

test("reception's phone: a tap on a token shows it large, the search sticks, the page alone scrolls", async ({
  browser,
}) => {
  const { visits } = await (await deskOfRole('pa')).pending()
  await welcome(Math.max(0, 14 - visits.length))
  const { page, context } = await arrive(browser, accountOf('reception'), { viewport })
  const rows = queueOf(page).getByRole('listitem')
  expect(await objections(page)).toEqual({ scrolls: [], low: [], beyond: [] })
  await rows.nth(9).scrollIntoViewIfNeeded()
  await expect(page.getByRole('searchbox')).toBeInViewport({ ratio: 1 })
  await rows
    .nth(9)
    .getByRole('button', { name: /^Show T-/ })
    .click()
  const large = page.getByRole('dialog', { name: 'Token' })
  await expect(large.getByText(/^T-\d+$/)).toBeVisible()
  await context.close()
})

test("a consultant's phone: Complete Session stays in reach", async ({ browser }) => {
  const account = await hire('consultant')
  await busyConsultant(account, 3)
  await deskFor(account)
  const { page, context } = await arrive(browser, account, { viewport })
  const complete = page.getByRole('button', { name: 'Complete Session' })
  await expect(complete).toBeInViewport({ ratio: 1 })
  await page.getByRole('region', { name: "Today's Completed Sessions" }).scrollIntoViewIfNeeded()
  await expect(complete).toBeInViewport({ ratio: 1 })
  await expect(page.getByLabel('Session Notes')).toHaveAttribute('rows', '4')
  expect(await objections(page)).toEqual({ scrolls: [], low: [], beyond: [] })
  await context.close()
})
