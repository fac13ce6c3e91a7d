import { expect, type Page } from '@playwright/test'

/** The list of today's visitors at reception. */
export const queueOf = (page: Page) => page.getByRole('group', { name: 'Current Queue Status' })

/** Shows the fields of the registration that are hidden at first. */
export async function openMore(page: Page) {
  const line = page.getByRole('button', { name: /^More: / })
  if ((await line.getAttribute('aria-expanded')) === 'false') await line.click()
}

/** The rows that reception's search finds. Tests search because a long list draws only the visible rows. */
export async function find(page: Page, words: string) {
  await page.getByRole('searchbox', { name: 'Search token, name or phone' }).fill(words)
  return queueOf(page).getByRole('listitem').filter({ hasText: words })
}

/** Chooses an action from the menu of a visitor. */
export async function choose(page: Page, token: string, action: string) {
  await page.getByRole('button', { name: `Actions for ${token}` }).click()
  const item = page.getByRole('menuitem', { name: action, exact: true })
  await expect(item).toBeVisible()
  // While the menu opens, press and release of a click can be on different items.
  await expect(page.locator('[class*="ant-slide-up-"]')).toHaveCount(0)
  await item.click()
}
