import type { Page } from '@playwright/test'
import { atEveryLook, expectAccessible } from './accessibility'
import { flashes } from './answers'
import { deskFor, deskOfRole } from './desk'
import { provoke } from './faults'
import { linkInMailTo } from './mail'
import { accountOf, arrive, hire, signIn } from './people'
import { expect, test } from './test'

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test('reception offers exactly the active services after one is added, changed and deactivated', async ({
  browser,
}) => {
  const name = `Notices ${Date.now() % 1_000_000}`
  const admin = await arrive(browser, accountOf('admin'), {
    at: '/dashboard/admin?tab=services',
    theme: 'system',
  })
  const { page } = admin
  await button(page, 'Add Service').click()
  const form = dialog(page, 'Add Service')
  await form.getByRole('button', { name: 'Add Service' }).click()
  await expect(form.getByText('Name is required')).toBeVisible()
  await expectAccessible(page, 'a new service')
  await form.getByLabel('Name').fill(name)
  await form.getByRole('button', { name: 'Add Service' }).click()
  const row = page.getByRole('row', { name })
  await expect(row).toContainText(/30 min.*Active/)

  const desk = await arrive(browser, accountOf('reception'))
  const offered = async () => {
    await desk.page.getByLabel('Service Required').fill(name)
    return desk.page.getByTitle(name).count()
  }
  await expect.poll(offered).toBe(1)
  await button(page, `Edit ${name}`).click()
  const edit = dialog(page, 'Edit Service')
  await edit.getByLabel(/minutes/i).fill('45')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(row).toContainText('45 min')
  await button(page, `Deactivate ${name}`).click()
  await expect(row).toContainText('Inactive')
  await expect.poll(offered).toBe(0)
  await button(page, `Activate ${name}`).click()
  await expect.poll(offered).toBe(1)
  await desk.context.close()
  await admin.context.close()
})

test('an administrator ends all sessions of a member of staff, who signs in again', async ({ browser }) => {
  const account = await hire('reception')
  const theirs = await arrive(browser, account)
  provoke(theirs.page, /^401 \w+ \/api\//)
  const admin = await arrive(browser, accountOf('admin'), { at: '/dashboard/admin?tab=staff' })
  await button(admin.page, `Actions for ${account.name}`).click()
  await admin.page.getByRole('menuitem', { name: 'End all sessions...' }).click()
  const question = dialog(admin.page, `End all sessions of ${account.name}?`)
  await expect(question).toContainText(`${account.name} is signed out on every device`)
  const ended = flashes(admin.page, 'All sessions ended')
  await question.getByRole('button', { name: 'End all sessions' }).click()
  await ended
  await expect(theirs.page).toHaveURL(/\/login/)
  await signIn(theirs.page, account)
  await expect(theirs.page).toHaveURL('/dashboard/receptionist')
  await theirs.context.close()
  await admin.context.close()
})

test('a staff member is invited by link and mail, gets specializations and another role, and is deactivated', async ({
  browser,
}) => {
  const stamp = Date.now() % 1_000_000
  const newUser = {
    role: 'consultant' as const,
    name: `Arjun ${stamp}`,
    email: `arjun-${stamp}@lekha.example`,
    password: 'velvet-okra-17',
  }
  const admin = await arrive(browser, accountOf('admin'), {
    at: '/dashboard/admin?tab=staff',
    theme: 'system',
  })
  const { page } = admin
  const row = page.getByRole('row', { name: newUser.name })
  await button(page, 'Add Staff Member').click()
  const form = dialog(page, 'Add Staff Member')
  await form.getByLabel('Name').fill(newUser.name)
  await form.getByLabel('Email').fill(newUser.email)
  await form.getByRole('button', { name: 'Add Staff Member' }).click()
  const link = await form.getByLabel('Copy link').inputValue()
  await expectAccessible(page, 'the link of an invitation')
  await form.getByRole('button', { name: 'Close' }).click()
  await expect(row).toContainText('Available')
  expect(await linkInMailTo(newUser.email)).toBe(link)

  const theirs = await browser.newContext()
  const screen = await theirs.newPage()
  await screen.goto(link)
  await screen.getByLabel('New password').fill(newUser.password)
  await screen.getByRole('button', { name: 'Set Password' }).click()
  await expect(screen.getByText('Password set. Please sign in.')).toBeVisible()
  provoke(screen, /^403 GET \/api\//) // this account is deactivated while its page is open
  await signIn(screen, newUser)
  await expect(screen).toHaveURL('/dashboard/consultant')

  const edit = dialog(page, 'Edit Staff Member')
  await button(page, `Edit ${newUser.name}`).click()
  await edit.getByLabel('Specialization').fill('Notices')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect(page.locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden)')).toHaveCount(0)
  await expectAccessible(page, 'a staff member')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(row).toContainText('Notices')

  await button(page, `Edit ${newUser.name}`).click()
  await edit.getByLabel('Role').click()
  await page.getByTitle('PA (Personal Assistant)', { exact: true }).click()
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(row).toContainText('PA (Personal Assistant)')
  await expect(screen).toHaveURL('/dashboard/pa')

  await button(page, `Deactivate ${newUser.name}`).click()
  await expect(row).toContainText('Inactive')
  await expect(screen.getByRole('heading', { name: 'Account Inactive' })).toBeVisible()
  await button(page, `Undo: ${newUser.name} cannot sign in any more.`).click()
  await expect(screen.getByRole('heading', { name: 'PA Dashboard' })).toBeVisible()
  await expectAccessible(page, 'the staff')
  const own = page.getByRole('row', { name: accountOf('admin').name })
  await expect(own.getByRole('button', { name: /^Deactivate/ })).toHaveCount(0)
  await theirs.close()
  await admin.context.close()
})

test('an administrator suggests a desk number, with which the consultant opens the desk', async ({
  browser,
}) => {
  const account = await hire('consultant')
  const number = `${Date.now() % 1_000_000}`
  const { page, context } = await arrive(browser, accountOf('admin'), {
    at: '/dashboard/admin?tab=staff',
    theme: 'system',
    viewport: { width: 1440, height: 900 },
  })
  await button(page, `Actions for ${account.name}`).click()
  await page.getByRole('menuitem', { name: 'Desk number...' }).click()
  const form = dialog(page, `Desk number of ${account.name}`)
  await expectAccessible(page, 'the desk number')
  await form.getByLabel('Desk number').fill(number)
  const saved = flashes(page, `${account.name} saved.`)
  await page.keyboard.press('Enter')
  await saved
  const row = page.getByRole('row', { name: account.name })
  await expect(row).toContainText(number)
  await expect(row).toContainText('Desk closed')
  expect((await row.boundingBox())?.height).toBe(48)

  const theirs = await arrive(browser, account)
  const suggested = async () => {
    await theirs.page.reload()
    return theirs.page.getByLabel('Desk number').inputValue()
  }
  await expect.poll(suggested).toBe(number)
  await theirs.page.keyboard.press('F2')
  await expect(row).toContainText(`Desk ${number} open`)
  await theirs.context.close()
  await context.close()
})

test('who deactivates a consultant with visitors is asked where they go, in both widths and themes', async ({
  browser,
}) => {
  const account = await hire('consultant', `Leaving ${Date.now() % 1_000_000}`)
  const own = await deskFor(account)
  const [reception, pa] = [await deskOfRole('reception'), await deskOfRole('pa')]
  const visit = await pa.approve(await reception.register({ name: 'Asha Kulkarni' }), own.userId)
  const { page, context } = await arrive(browser, accountOf('admin'), {
    at: '/dashboard/admin?tab=staff',
    theme: 'system',
  })
  await atEveryLook(page, async (look) => {
    await button(page, `Deactivate ${account.name}`).click()
    const where = dialog(page, `Visitors of ${account.name}`)
    await expect(where, look).toContainText(visit.token)
    await page.keyboard.press('Escape')
    await expect(where, look).toHaveCount(0)
  })
  await button(page, `Deactivate ${account.name}`).click()
  await dialog(page, `Visitors of ${account.name}`).getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('row', { name: account.name })).toContainText('Inactive')
  expect((await pa.line()).line.map(({ token }) => token)).toContain(visit.token)
  await context.close()
})
