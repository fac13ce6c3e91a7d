import { expect, type Page } from '@playwright/test'
import type { Visit } from './desk'

export const needsInHead = (page: Page) => page.getByRole('region', { name: 'Needs attention' })

/** Opens the sheet with everything that needs attention. The head has room for the first entries only. */
export async function needsOf(page: Page) {
  await needsInHead(page).getByRole('button').first().click()
  const sheet = page.getByRole('dialog', { name: 'Needs attention' })
  await expect(sheet).toBeVisible()
  return sheet
}

/** An entry of the list: a visitor was called some minutes ago and has not come. */
export const unansweredCall = ({ id, token, name }: Visit) => ({
  id: 'call',
  kind: 'call_unanswered',
  since: new Date(Date.now() - 252_000).toISOString(),
  visit: { id, token, name, service: 'ITR Filing', stage: 'called', version: 1 },
  counter: '42',
  values: { calls: 1 },
  actions: [],
})

/**
 * Answers the page's requests for the list with these entries. The returned function replaces the entries.
 */
export async function answerNeeds(page: Page, first: object[]) {
  let attention = first
  await page.route('**/api/visits/attention', (route) => route.fulfill({ json: { attention, nextAt: null } }))
  await page.reload()
  return (next: object[]) => {
    attention = next
  }
}
