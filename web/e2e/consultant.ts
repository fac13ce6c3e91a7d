import { expect, type Page } from '@playwright/test'

/** The card of a consultant's screen with the desk to open, the visitor to call, the open call or the session. */
export const sessionCard = (page: Page) => page.getByRole('region', { name: 'Current Session' })

/** The card while a visitor is called. */
export const openCall = (page: Page) => sessionCard(page).filter({ has: page.locator('.call-actions') })

/** The filled button that calls the first visitor of the queue, or the visitor with this token. */
export const callButton = (page: Page, token = 'T-') =>
  sessionCard(page).getByRole('button', { name: new RegExp(`^Call ${token}`) })

/** The entries of the list My Queue, without visitors who are on hold or marked as not here. */
export const queueRows = (page: Page) => page.getByRole('group', { name: 'My Queue' }).getByRole('listitem')

/** Starts the session of the called visitor with F2, which does nothing until the server answers the call. */
export async function startCalled(page: Page) {
  await expect(openCall(page).getByRole('button', { name: /^Start Session/ })).toBeEnabled()
  await page.keyboard.press('F2')
}
