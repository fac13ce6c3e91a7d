import type { Page } from '@playwright/test'
import { denied, registered } from './answers'
import { deskOfRole, welcome } from './desk'
import { onlyAtNight } from './extent'
import { provoke } from './faults'
import { accountOf, arrive, hire, openSession, signIn } from './people'
import { find } from './queue'
import { expect, test } from './test'

const withoutStream = /^failed GET \/api\/stream /

const card = (page: Page, token: string) => page.getByRole('article', { name: new RegExp(`^${token} `) })

test('a lost connection is shown with the age of the data, and the data is refreshed after the reconnect', async ({
  browser,
}) => {
  const { page, context } = await arrive(browser, await hire('reception'))
  await welcome(1)
  await page.clock.install()
  provoke(page, withoutStream)
  await page.route('**/api/stream?**', (route) => route.abort())
  await page.reload()
  await expect(page.getByText('Disconnected', { exact: true })).toBeVisible()
  await expect(page.getByText(/^Last updated \d+:\d\d [AP]M$/)).toBeVisible()
  // runFor advances the page's clock, but a late response may set it back to the server's time.
  await expect(async () => {
    await page.clock.runFor(65_000)
    await expect(page.getByText(/^Last updated \d+:\d\d [AP]M, [1-9]\d* min ago$/)).toBeVisible({
      timeout: 1_000,
    })
  }).toPass()
  await expect(page.getByRole('group', { name: 'Current Queue Status' })).toBeVisible()

  const [missed] = await welcome(1)
  await page.unrouteAll()
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await expect(page.getByText('Connected', { exact: true })).toBeVisible()
  await expect(page.getByText(/^Last updated/)).toBeHidden()
  await expect(await find(page, missed?.token ?? '')).toBeVisible()
  await context.close()
})

test('failed loads show an error and a button that loads again', async ({ browser }) => {
  const { page, context } = await arrive(browser, accountOf('pa'))
  const [waiting] = await welcome(1)
  provoke(page, /^failed GET \/api\/(visits\/pending-approval|stream)/)
  // Without events of the stream, only the button loads the list again.
  await page.route('**/api/stream?**', (route) => route.abort())
  await page.route('**/api/visits/pending-approval', (route) => route.abort())
  await page.reload()
  const again = page.getByRole('button', { name: 'Try again' })
  await expect(again).toBeVisible()
  await page.unroute('**/api/visits/pending-approval')
  await again.click()
  await expect(card(page, waiting?.token ?? '')).toBeVisible()
  await context.close()
})

test('a dialog that cannot be loaded leaves the page as it is, and opens after the connection is back', async ({
  browser,
}) => {
  const { page, context } = await arrive(browser, accountOf('pa'))
  const [visit] = await welcome(1)
  const shown = card(page, visit?.token ?? '')
  await expect(shown).toBeVisible()
  provoke(page, /^failed /)
  await context.setOffline(true)
  const failed = page.waitForEvent('requestfailed', (request) =>
    request.url().includes('/assets/deny-dialog'),
  )
  await shown.getByRole('button', { name: 'Deny' }).click()
  await failed
  await expect(shown).toBeVisible()
  const loadedAgain = page.waitForEvent('load')
  await context.setOffline(false)
  await loadedAgain
  await shown.getByRole('button', { name: 'Deny' }).click()
  await expect(page.getByRole('dialog', { name: `Deny ${visit?.token}` })).toBeVisible()
  await context.close()
})

test('a decision that came too late is explained, the current state is shown and the typed notes stay', async ({
  browser,
}) => {
  const consultant = await hire('consultant')
  const { userId } = await openSession(consultant)
  const { page, context } = await arrive(browser, await hire('pa'))
  const [visit] = await welcome(1)
  if (!visit) throw new Error('no visitor arrived')
  const mine = card(page, visit.token)
  await mine.getByPlaceholder('PA Notes').fill('Ask for the challan')
  provoke(page, withoutStream, /^409 PUT \/api\/visits\/[^/]+\/status$/)
  await page.route('**/api/stream?**', (route) => route.abort())
  await page.route('**/api/visits/*/status', async (route) => {
    await (await deskOfRole('pa')).approve(visit, userId) // a colleague decides before this decision arrives
    await route.continue()
  })
  await mine.getByRole('button', { name: 'Deny' }).click()

  await expect(page.getByText('Failed to deny visitor')).toBeVisible()
  await expect(page.getByText('Visit is already approved')).toBeVisible()
  await expect(mine).toBeHidden()
  const unsent = page
    .getByRole('status')
    .filter({ hasText: `Token ${visit.token} was already approved or denied.` })
  await expect(unsent).toContainText('Ask for the challan')
  await unsent.getByRole('button', { name: 'Dismiss' }).click()
  await expect(unsent).toBeHidden()
  await context.close()
})

test('a decision without a response keeps the typed notes and can be sent again', async ({ browser }) => {
  const { page, context } = await arrive(browser, await hire('pa'))
  const [visit] = await welcome(1)
  const mine = card(page, visit?.token ?? '')
  await mine.getByPlaceholder('PA Notes').fill('Ask for the challan')
  provoke(page, /^failed PUT \/api\/visits\/[^/]+\/status /)
  await page.route('**/api/visits/*/status', (route) => route.abort())
  await mine.getByRole('button', { name: 'Deny' }).click()
  await expect(page.getByText('Failed to deny visitor')).toBeVisible()
  await expect(mine.getByPlaceholder('PA Notes')).toHaveValue('Ask for the challan')
  await page.unrouteAll()
  await mine.getByRole('button', { name: 'Deny' }).click()
  await expect(page.getByText(denied)).toBeVisible()
  await expect(mine).toBeHidden()
  await expect(page.getByText('Ask for the challan')).toBeHidden()
  await context.close()
})

test('live updates do not change a field that is being edited', async ({ browser }) => {
  const { page, context } = await arrive(browser, await hire('pa'))
  const [visit, other] = await welcome(2)
  const notes = card(page, visit?.token ?? '').getByPlaceholder('PA Notes')
  await notes.fill('Ask for')
  const [third] = await welcome(1)
  if (other) await (await deskOfRole('pa')).deny(other)
  await expect(card(page, third?.token ?? '')).toBeVisible()
  await expect(card(page, other?.token ?? '')).toBeHidden()
  await expect(notes).toBeFocused()
  await page.keyboard.type(' the challan')
  await expect(notes).toHaveValue('Ask for the challan')
  await context.close()
})

test('unsent text survives an expired session and is shown to its author only', async ({ page }) => {
  const account = await hire('pa')
  const [visit] = await welcome(1)
  const notes = card(page, visit?.token ?? '').getByPlaceholder('PA Notes')
  const stored = () => page.evaluate(() => JSON.stringify(sessionStorage))
  await signIn(page, account)
  await notes.fill('Ask for the challan')
  await endSessions(page)
  await expect(page).toHaveURL('/login')

  await signIn(page, await hire('pa'))
  await expect(notes).toBeEmpty()
  await endSessions(page)
  await expect(page).toHaveURL('/login')

  await signIn(page, account)
  await expect(notes).toHaveValue('Ask for the challan')
  expect(await stored()).toContain('Ask for the challan')
  await page.getByRole('button', { name: /Profile$/ }).click()
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL('/')
  expect(await stored()).not.toContain('Ask for the challan')
})

test('a partly filled registration is still in the form after an expired session', async ({ page }) => {
  const account = await hire('reception')
  const typed = { 'Visitor Name': 'Asha Kulkarni', 'Phone Number': '9876543210', 'Special Notes': 'Form 16' }
  await signIn(page, account)
  for (const [label, value] of Object.entries(typed)) await page.getByLabel(label).fill(value)
  await page.getByLabel('Service Required').click()
  await page.getByTitle('GST Registration').click()
  await endSessions(page)
  await expect(page).toHaveURL('/login')
  await page.reload()

  await signIn(page, account)
  for (const [label, value] of Object.entries(typed)) await expect(page.getByLabel(label)).toHaveValue(value)
  await page.getByRole('button', { name: 'Create Token' }).click()
  await expect(page.getByText(registered)).toBeVisible()
  await expect(page.getByRole('article', { name: /^Token T-/ })).toContainText('GST Registration')
  await page.reload()
  await expect(page.getByLabel('Phone Number')).toBeEmpty()
})

test('dialog input is restored after an expired session, until it is discarded', async ({ page }) => {
  const open = async (name: string) => {
    await page.goto('/dashboard/admin?tab=services')
    await page.getByRole('button', { name }).click()
    return page.getByRole('dialog', { name })
  }
  await signIn(page, accountOf('admin'))
  let form = await open('Add Service')
  await form.getByLabel('Name').fill('Notices')
  await form.getByLabel('Description').fill('Answers to notices of the department')
  await endSessions(page, 'this one')
  await expect(page).toHaveURL('/login')

  await signIn(page, accountOf('admin'))
  form = await open('Add Service')
  await expect(form.getByLabel('Name')).toHaveValue('Notices')
  await expect(form.getByLabel('Description')).toHaveValue('Answers to notices of the department')
  await form.getByRole('button', { name: 'Cancel' }).click()
  form = await open('Add Service')
  await expect(form.getByLabel('Name')).toBeEmpty()
})

// The pauses are 1, 2, 4, 8 and 16 s, each up to 30 % longer. A new series begins when the user returns.
test('an unavailable stream is requested five times; then the page gives up until the user returns', async ({
  page,
}) => {
  onlyAtNight()
  await signIn(page, await hire('reception'))
  await expect(page.getByText('Connected', { exact: true })).toBeVisible()
  await page.clock.install()
  provoke(page, withoutStream)
  const requests: number[] = []
  await page.route('**/api/stream?**', async (route) => {
    requests.push(await page.evaluate(() => Date.now()).catch(() => 0))
    await route.abort()
  })
  await page.reload()
  const lost = page.getByText('Real-time updates are unavailable. Please refresh the page.').first()
  await expect(async () => {
    await page.clock.runFor(1_000)
    await expect(lost).toBeVisible({ timeout: 200 })
  }).toPass()
  await expect(page.getByText('Disconnected', { exact: true })).toBeVisible()
  expect(requests).toHaveLength(6)

  await page.unrouteAll()
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(page.getByText('Connected', { exact: true })).toBeVisible()
  await expect(lost).toBeHidden()
})

/** Ends all sessions of the page's user, or only the page's own session, as the user could from another device. */
async function endSessions(page: Page, which: 'all' | 'this one' = 'all') {
  provoke(page, /^401 (GET|PUT) \/api\//)
  const token = await page.evaluate(() => localStorage.getItem('baari.token'))
  const headers = { Authorization: `Bearer ${token}`, Origin: new URL(page.url()).origin }
  const [path, data] = which === 'all' ? ['revoke-sessions', {}] : ['revoke-session', { token }]
  const answer = await page.request.post(`/api/auth/${path}`, { headers, data })
  expect(answer.status()).toBe(200)
}
