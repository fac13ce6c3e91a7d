import type { Page } from '@playwright/test'
import { expectAccessible, followSystemTheme, violationsOf } from './accessibility'
import { flashes } from './answers'
import { provoke } from './faults'
import { linkInMailTo } from './mail'
import { arrive, hire, signIn, type Account } from './people'
import { expect, test } from './test'

async function openSettings(page: Page) {
  await page.getByRole('button', { name: /Profile$/ }).click()
  await page.getByRole('button', { name: 'Account Settings' }).click()
  const settings = page.getByRole('dialog', { name: 'Account Settings' })
  await expect(settings).toBeVisible()
  return settings
}

const devices = (page: Page) => page.getByRole('list', { name: 'Sessions' }).getByRole('listitem')

// S2.layout.08
test('sessions on other devices are listed in the account settings and can be ended', async ({ browser }) => {
  const account = await hire('pa')
  const phone = 'Mozilla/5.0 (Linux; Android 16; SM-A165F) Chrome/142.0.0.0 Mobile Safari/537.36'
  const context = await browser.newContext()
  const page = await context.newPage()
  await followSystemTheme(page)
  await signIn(page, account)
  const elsewhere = await browser.newContext({ userAgent: phone })
  const lost = await elsewhere.newPage()
  provoke(lost, /^401 GET \/api\//) // its session ends
  await signIn(lost, account)
  await expect(lost.getByText('Connected', { exact: true })).toBeVisible()

  const settings = await openSettings(page)
  await expect(devices(page).first()).toContainText('This device')
  const other = devices(page).filter({ hasText: 'Chrome on Android' })
  await expect(other).toHaveText(/Signed in \d+ \w+ \d{4}, \d+:\d\d [AP]M.*Last active \d+ \w+ \d{4}/)
  await expect(other).not.toContainText('This device')
  await expectAccessible(page, 'account settings')

  const ended = flashes(page, 'Session ended')
  await other.getByRole('button', { name: /^End session of Chrome on Android, / }).click()
  await ended
  await expect(other).toHaveCount(0)
  await expect(lost).toHaveURL('/login')

  await signIn(lost, account)
  await expect(lost.getByText('Connected', { exact: true })).toBeVisible()
  await settings.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Account Settings' }).click()
  await expect(other).toHaveCount(1)
  await settings.getByRole('button', { name: 'End all other sessions' }).click()
  await expect(page.getByText('No other devices are signed in.')).toBeVisible()
  await expect(devices(page)).toHaveCount(1)
  await expect(lost).toHaveURL('/login')
  await expect(page.getByText('Connected', { exact: true })).toBeVisible()
  await elsewhere.close()
  await context.close()
})

test('a new address takes effect by its mailed link, a new password at once, and the theme is kept', async ({
  browser,
}) => {
  const account = await hire('reception')
  const { page, context } = await arrive(browser, account)
  const changed: Account = { ...account, email: `new-${account.email}`, password: 'okra-velvet-71' }
  provoke(page, /^400 POST \/api\/auth\/change-email$/)
  const settings = await openSettings(page)
  await settings.getByText('Dark', { exact: true }).click()
  expect(await violationsOf(page)).toEqual([])

  await settings.getByLabel('New email').fill('no-address')
  await settings.getByLabel('Your password').fill('not the password')
  await settings.getByRole('button', { name: 'Change Email' }).click()
  await expect(settings.getByText('Please enter a valid email address')).toBeVisible()
  await settings.getByLabel('New email').fill(changed.email)
  // The button moves when the message is gone.
  await expect(settings.getByText('Please enter a valid email address')).toHaveCount(0)
  await settings.getByRole('button', { name: 'Change Email' }).click()
  await expect(page.getByText('The password is not right')).toBeVisible()
  await settings.getByLabel('Your password').fill(account.password)
  await settings.getByRole('button', { name: 'Change Email' }).click()
  await expect(
    page.getByText(`Open the link that we sent to ${changed.email} to finish the change.`),
  ).toBeVisible()

  await page.goto(await linkInMailTo(changed.email))
  await page.waitForURL('/dashboard/receptionist')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await openSettings(page)
  await settings.getByLabel('Current password').fill(account.password)
  await settings.getByLabel('New password').fill(changed.password)
  const saved = flashes(page, 'Password changed')
  await settings.getByRole('button', { name: 'Change Password' }).click()
  await saved
  await context.close()

  const anew = await browser.newContext()
  await signIn(await anew.newPage(), changed)
  await anew.close()
})

test('the old address reverses a change of email and sets a new password', async ({ browser }) => {
  const account = await hire('reception')
  const thief = await arrive(browser, account)
  provoke(thief.page, /^401 GET \/api\//) // the owner of the account ends this session while its page is open
  const owner = await browser.newContext()
  const page = await owner.newPage()
  const taken = `new-${account.email}`
  const settings = await openSettings(thief.page)
  await settings.getByLabel('New email').fill(taken)
  await settings.getByLabel('Your password').fill(account.password)
  await settings.getByRole('button', { name: 'Change Email' }).click()
  await page.goto(await linkInMailTo(taken))
  await expect(page).toHaveURL('/login') // the link does not sign in

  await page.goto(await linkInMailTo(account.email, '/stop-email-change'))
  await expect(page.getByRole('heading', { name: 'Stop the change of your email?' })).toBeVisible()
  expect(await violationsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Stop the Change' }).click()
  await expect(page.getByRole('heading', { name: 'Your address is back' })).toBeVisible()
  expect(await violationsOf(page)).toEqual([])
  await expect(thief.page).toHaveURL('/login')

  await page.goto(await linkInMailTo(account.email, '/reset-password/'))
  await page.getByLabel('New password').fill('okra-velvet-71')
  await page.getByRole('button', { name: 'Set Password' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await signIn(page, { ...account, password: 'okra-velvet-71' })
  await expect(page).toHaveURL('/dashboard/receptionist')
  await owner.close()
  await thief.context.close()
})
