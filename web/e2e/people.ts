import { expect, type Browser, type BrowserContext, type Page } from '@playwright/test'
import { readFileSync } from 'node:fs'

export type Role = 'admin' | 'reception' | 'pa' | 'consultant'
export type Account = { role: Role; email: string; name: string; password: string }

/** Where each role works. */
const homes: Record<Role, string> = {
  admin: '/dashboard/admin',
  reception: '/dashboard/receptionist',
  pa: '/dashboard/pa',
  consultant: '/dashboard/consultant',
}

/** The accounts of the running application, as `baari up` writes them. */
export function accounts(): Account[] {
  const file = process.env.BAARI_ACCOUNTS
  if (!file) throw new Error('BAARI_ACCOUNTS is not set: name the accounts.json of the running application.')
  return JSON.parse(readFileSync(file, 'utf8')) as Account[]
}

/** The nth account of a role. */
export function accountOf(role: Role, nth = 0): Account {
  const account = accounts().filter((one) => one.role === role)[nth]
  if (!account) throw new Error(`there is no account number ${nth} with the role ${role}`)
  return account
}

/** A member of staff at a browser of their own. What goes wrong in it is written down. */
export type Person = { account: Account; context: BrowserContext; page: Page; troubles: string[] }

/** Opens a browser of its own for an account and signs in on the screen, up to the dashboard of the role. */
export async function arrive(browser: Browser, account: Account): Promise<Person> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const troubles = watch(page)
  await signIn(page, account)
  await expect(page).toHaveURL(homes[account.role])
  await expect(page.getByText('Connected', { exact: true })).toBeVisible()
  return { account, context, page, troubles }
}

export async function signIn(page: Page, { email, password }: Account) {
  await page.goto('/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await page.waitForURL('/dashboard/**')
}

/** Every console error and every exception of a page, as they happen. */
export function watch(page: Page): string[] {
  const troubles: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') troubles.push(message.text())
  })
  page.on('pageerror', (error) => troubles.push(String(error)))
  return troubles
}
