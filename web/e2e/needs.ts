import { expect, type Page } from '@playwright/test'

/** What needs attention, in the head of the page. */
export const needsInHead = (page: Page) => page.getByRole('region', { name: 'Needs attention' })

/** Opens the sheet with everything that needs attention. The head has room for the first entries only. */
export async function needsOf(page: Page) {
  await needsInHead(page).getByRole('button').first().click()
  const sheet = page.getByRole('dialog', { name: 'Needs attention' })
  await expect(sheet).toBeVisible()
  return sheet
}
