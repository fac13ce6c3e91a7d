import type { Page } from '@playwright/test'
import { monday } from './appointment-days'

const officeDay = () => new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata' }).format(new Date())

/**
 * Makes the page show requests for the Monday of appointment-days.ts as requests for today. Real requests for
 * today would be rejected on a day on which the office is closed.
 */
export async function asOfToday(page: Page) {
  await page.route('**/api/appointments?*', async (route) => {
    const url = new URL(route.request().url())
    url.searchParams.delete('date')
    const response = await route.fetch({ url: url.toString() })
    const answer = await response.text()
    await route.fulfill({ response, body: answer.replaceAll(monday, officeDay()) })
  })
}

/** A phone number that no earlier test has used. */
export const newPhone = () => String(9_000_000_000 + (Date.now() % 999_999_999))
