import { expect, type Page } from '@playwright/test'

/** The list of today's visitors at reception. */
export const queueOf = (page: Page) => page.getByRole('group', { name: 'Current Queue Status' })

/** Shows the fields of the registration that are hidden at first. */
export async function openMore(page: Page) {
  const line = page.getByRole('button', { name: /^More: / })
  if ((await line.getAttribute('aria-expanded')) === 'false') await line.click()
}

/** Waits until the rows of a search have replaced those of the list. Menus of the old rows disappear with them. */
export const expectFound = (page: Page) => expect(page.locator('.ledger-order')).toHaveCount(0)

/** Waits until the option that Enter would choose contains a text. The options may not be loaded yet. */
export const expectActive = (page: Page, text: string) =>
  expect(page.locator('.ant-select-item-option-active').filter({ visible: true, hasText: text })).toHaveCount(
    1,
  )

/** The rows that reception's search finds. Tests search because a long list draws only the visible rows. */
export async function find(page: Page, words: string) {
  await page.getByRole('searchbox', { name: 'Search token, name or phone' }).fill(words)
  await expectFound(page)
  return queueOf(page).getByRole('listitem').filter({ hasText: words })
}

export async function choose(page: Page, token: string, action: string) {
  await page.getByRole('button', { name: `Actions for ${token}` }).click()
  await chooseItem(page, action)
}

export async function chooseItem(page: Page, action: string) {
  const item = page.getByRole('menuitem', { name: action, exact: true })
  await expect(item).toBeVisible()
  // While the menu opens, press and release of a click can be on different items.
  await expect(page.locator('[class*="ant-slide-up-"]')).toHaveCount(0)
  await item.click()
}
