import type { Browser, Page } from '@playwright/test'
import { atEveryLook, expectAccessible } from './accessibility'
import { flashes } from './answers'
import { provoke } from './faults'
import { newUser, register } from './new-users'
import { putBack, readSettings, type Settings } from './office-settings'
import { accountOf, arrive, asAdmin, baseURL, signIn, type Account } from './people'
import { expect, test } from './test'

const open = 'Anyone who reaches this address can register and see visitors.'
const saved = 'Undo: Registration and access saved'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const staffTab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })

let before: Settings

test.beforeEach(async () => {
  before = await readSettings()
})

test.afterEach(async () => {
  await putBack(before)
  await refuseWaiting()
})

/** Removes the people whom a failed test has left waiting: the tab Staff counts them. */
async function refuseWaiting() {
  const { users } = await asAdmin<{ users: { id: string }[] }>('GET', '/api/users?awaiting=true&limit=100')
  for (const { id } of users) await asAdmin('POST', `/api/users/${id}/refuse`)
}

/** A person without an account, with a name that no earlier run has used. */
const stranger = (name: string): Account => ({ ...newUser(), name: `${name} ${Date.now() % 1_000_000}` })

/** Registers without a browser, until the account waits: auth follows a change of the office within two seconds. */
async function registerOnceApprovalIsRequired(): Promise<Account> {
  let last = stranger('Imran')
  await expect(async () => {
    last = stranger('Imran')
    const answer = await fetch(`${baseURL()}/api/auth/sign-up/email`, {
      method: 'POST',
      headers: { Origin: baseURL(), 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: last.name, email: last.email, password: last.password }),
    })
    const { user } = (await answer.json()) as { user: { id: string } }
    const account = await asAdmin<{ data: { awaiting: boolean } }>('GET', `/api/users/${user.id}`)
    expect(account.data.awaiting).toBe(true)
  }).toPass()
  return last
}

/** The page of a person who has registered and waits. */
async function waitingPage(browser: Browser, enter: (page: Page) => Promise<void>) {
  const context = await browser.newContext()
  const page = await context.newPage()
  // Until they are let in, and after a refusal, the server refuses the requests of this person.
  provoke(page, /^40[13] \w+ \/api\//)
  await enter(page)
  await expect(page.getByRole('heading', { name: 'Waiting for approval' })).toBeVisible()
  return { context, page }
}

/** What the server answers the person of this page. */
async function answerTo(page: Page, path: string) {
  const token = await page.evaluate(() => localStorage.getItem('baari.token'))
  return (await page.request.get(path, { headers: { Authorization: `Bearer ${token}` } })).status()
}

test('an admin requires approval by the banner, lets one person in and refuses another @alone', async ({
  browser,
}) => {
  const { page, context } = await arrive(browser, accountOf('admin'), {
    at: '/dashboard/admin?tab=staff',
    theme: 'system',
  })
  await test.step('the banner requires approval with one press', async () => {
    await atEveryLook(page, async (look) => {
      await expect(button(page, 'Require approval'), look).toBeVisible()
    })
    await expectAccessible(page, 'the banner of open registration')
    await button(page, 'Require approval').click()
    await expect(button(page, saved)).toBeVisible()
    await expect(page.getByText(open)).toBeHidden()
  })
  await test.step('its undo opens registration again, and it is required by keyboard', async () => {
    await button(page, saved).click()
    await expect(page.getByText(open)).toBeVisible()
    await button(page, 'Require approval').focus()
    await page.keyboard.press('Enter')
    await expect(page.getByText(open)).toBeHidden()
  })

  const imran = await registerOnceApprovalIsRequired()
  await expect(staffTab(page, 'Staff, 1 person waits for approval')).toBeVisible()
  const lata = stranger('Lata')
  const first = await waitingPage(browser, async (theirs) => {
    await register(theirs, lata, 'PA (Personal Assistant)')
    await signIn(theirs, lata)
  })
  await test.step('a person who waits sees nothing of the visitors', async () => {
    await expect(first.page.getByText(/ has to let you in\. This page goes on by itself\.$/)).toBeVisible()
    await expect(first.page.getByRole('region')).toHaveCount(0)
    await expect(first.page.getByRole('navigation')).toHaveCount(0)
    expect(await answerTo(first.page, '/api/visits/today')).toBe(403)
  })

  await test.step('the admin lets them in at the reception, and their page goes on by itself', async () => {
    await expect(staffTab(page, 'Staff, 2 people wait for approval')).toBeVisible()
    const waiting = page.getByRole('region', { name: 'Waiting for approval' })
    await expect(waiting.getByRole('row', { name: lata.name })).toContainText('PA (Personal Assistant)')
    await waiting.getByLabel(`Role of ${lata.name}`).click()
    await page.locator('.ant-select-dropdown:visible').getByTitle('Reception', { exact: true }).click()
    await button(page, `Let in ${lata.name}`).click()
    await expect(first.page).toHaveURL('/dashboard/receptionist')
    await expect(first.page.getByText('Connected', { exact: true })).toBeVisible()
    expect(await answerTo(first.page, '/api/visits/today')).toBe(200)
    await expect(staffTab(page, 'Staff, 1 person waits for approval')).toBeVisible()
  })

  await test.step('the other is refused, which asks once, and their page ends', async () => {
    const second = await waitingPage(browser, (theirs) => signIn(theirs, imran))
    await button(page, `Refuse ${imran.name}`).click()
    const asked = page.getByRole('dialog', { name: `Refuse ${imran.name}?` })
    await expect(asked).toContainText(`The account is deleted. ${imran.name} can register again.`)
    const refused = flashes(page, `The account of ${imran.name} is deleted`)
    await asked.getByRole('button', { name: 'Refuse', exact: true }).click()
    await refused
    await expect(staffTab(page, 'Staff')).toBeVisible()
    await expect(second.page).toHaveURL('/login')
    await second.context.close()
  })

  await test.step('a mistaken deactivation is undone, and the open page is still signed in', async () => {
    const token = await first.page.evaluate(() => localStorage.getItem('baari.token'))
    await button(page, `Deactivate ${lata.name}`).click()
    await expect(first.page.getByRole('heading', { name: 'Account Inactive' })).toBeVisible()
    await button(page, `Undo: ${lata.name} cannot sign in any more.`).click()
    await expect(first.page.getByText('Connected', { exact: true })).toBeVisible()
    await expect(first.page).toHaveURL('/dashboard/receptionist')
    expect(await first.page.evaluate(() => localStorage.getItem('baari.token'))).toBe(token)
  })
  await first.context.close()
  await context.close()
})
