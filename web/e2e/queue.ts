import type { Page } from '@playwright/test'

/** The list of today's visitors at reception. */
export const queueOf = (page: Page) => page.getByRole('group', { name: 'Current Queue Status' })

/** Opens the folded fields of the registration. */
export async function openMore(page: Page) {
  const line = page.getByRole('button', { name: /^More: / })
  if ((await line.getAttribute('aria-expanded')) === 'false') await line.click()
}

/** The rows that reception's search finds in all lists: a long list draws only those in view. */
export async function find(page: Page, words: string) {
  await page.getByRole('searchbox', { name: 'Search token, name or phone' }).fill(words)
  return queueOf(page).getByRole('listitem').filter({ hasText: words })
}
