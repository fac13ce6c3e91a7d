import type { Page } from '@playwright/test'

/** The list of today's visitors at reception. */
export const queueOf = (page: Page) => page.getByRole('group', { name: 'Current Queue Status' })

/** The rows that reception's search finds in all lists: a long list draws only those in view. */
export async function find(page: Page, words: string) {
  await page.getByRole('searchbox', { name: 'Search token, name or phone' }).fill(words)
  return queueOf(page).getByRole('listitem').filter({ hasText: words })
}
